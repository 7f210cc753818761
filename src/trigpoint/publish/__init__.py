"""What is made from sealed bundles and stored results: comparisons, reports, pages."""
