"""Many games at once: jobs on any executor, and whole walls counted with integer arrays."""

from viewer.batch.executor import ClusterError, cores, executor_of, in_order, pool

__all__ = ["ClusterError", "cores", "executor_of", "in_order", "pool"]
