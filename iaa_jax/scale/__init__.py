"""Ratings that do not fit in memory: files through DuckDB, partitions through Dask.

Both return the distinct patterns of ratings with the number of items that show each, exactly as
`iaa_jax.data.compress` does for ratings in memory. All functions accept such compressed ratings.
"""
