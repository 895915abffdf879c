"""Where jobs are done: in processes of this machine, or by Dask or Ray as they are."""
