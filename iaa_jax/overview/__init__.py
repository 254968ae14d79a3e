"""The report: whether agreement is good enough, where it is lost, and what to do next."""
