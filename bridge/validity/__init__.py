"""Where a theory holds: predictions by name, sequential tests of one configuration, and maps over several."""
