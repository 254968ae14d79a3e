"""More ratings than memory: files through DuckDB, partitions through Dask.

Both come to the distinct patterns of ratings with the number of items that show each, the same that
`iaa_jax.data.compress` makes of ratings in memory; these are ratings for every function.
"""
