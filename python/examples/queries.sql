-- Queries of a catalogue, for DuckDB: duckdb -c ".read queries.sql", beside a folder `catalogue` of
-- Parquet files, or any other table of that name.

-- Which files carry code for a device?
select file, count(*) as entries, sum(stored_size) as bytes
from 'catalogue/*.parquet' where arch like 'sm_70%' group by file order by bytes desc;

-- Which files have errors, and what is the first?
select file, member, verdict, findings[1].path as path, findings[1].message as message
from 'catalogue/*.parquet'
where kind is null and verdict not in ('valid', 'nothing', 'archive', 'unrecognised') order by file;

-- What are the formats, and how much is in them?
select format, count(distinct file) as files, count(kind) as items, sum(stored_size) as bytes
from 'catalogue/*.parquet' where format is not null and kind is not null group by format order by bytes desc;

-- Which tensors are the largest?
select file, name, dtype, shape, stored_size
from 'catalogue/*.parquet' where dtype is not null order by stored_size desc limit 20;

-- Which items are stored more than once? (of a catalogue with digests)
select sha256, count(*) as times, any_value(file) as one_of, max(size) as bytes
from 'catalogue/*.parquet' where sha256 is not null group by sha256 having times > 1 order by bytes desc;
