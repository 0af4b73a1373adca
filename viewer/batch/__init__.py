"""Many games at once: jobs on any executor, and whole walls counted with integer arrays."""

from viewer.batch.executor import cores, in_order, pool

__all__ = ["cores", "in_order", "pool"]
