"""Every face of the system, and the only place that joins the engine and the ledger."""
