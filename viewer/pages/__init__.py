"""The pages of the Streamlit app, one module each; `shelf` is where they get their data."""
