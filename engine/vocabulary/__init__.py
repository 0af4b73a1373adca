"""The models of the event vocabulary, one module for each kind of event; `engine.events` joins them."""
