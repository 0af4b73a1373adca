"""The replay component: our own tiles, plain JavaScript, no build."""
