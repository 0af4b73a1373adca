"""The pages of the Streamlit app, one module each; `shelf` is where they get their data.

The folder is not called `pages`: Streamlit takes one of that name beside the app's file for pages of its older kind and
runs the modules as scripts when an address of a page is opened first.
"""
