"""Read ratings that do not fit in memory: files with DuckDB, partitioned tables with Dask.

Both ways return the distinct patterns of ratings, with the number of items that show each pattern,
exactly as `iaa_jax.data.compress` does for ratings in memory.
"""
