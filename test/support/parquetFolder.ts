import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DataShape, ReadingsFiles } from '../../src/service/query/queryJob';

/** A reading in a file. */
export interface ParquetReading {
  id?: number;
  seriesId?: number;
  /** Time of capture and storage in seconds since 1970. */
  second?: number;
  data: object;
}

/** A folder with files of readings, like those in the lake. */
export class ParquetFolder implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'fleetwright-lake-'));
  private readonly files: string[] = [];

  /** Writes a file with the given readings. */
  async write(readings: readonly ParquetReading[]): Promise<void> {
    const rows = readings.map(({ id = 1, seriesId = 1, second = 0, data }) => {
      const at = `make_timestamp(${String(second * 1_000_000)})`;
      return `(${String(id)}, ${String(seriesId)}, ${at}, '${JSON.stringify(data).replaceAll("'", "''")}')`;
    });
    await this.copy(`SELECT * FROM (VALUES ${rows.join(', ')}) AS t(id, series_id, moment, data)`);
  }

  /**
   * Writes a file with the rows of a query, which must return `id`, `series_id`, `moment`, and
   * `data`.
   */
  async copy(rows: string): Promise<void> {
    const name = `${String(this.files.length)}.parquet`;
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT id::BIGINT AS id, series_id::BIGINT AS series_id, moment AS synced_at,
         'acme' AS organization_id, 'hall' AS location_id, 'arm' AS robot_id, 'main' AS part_id,
         'rdk:component:sensor' AS component_type, 'thermometer' AS component_name,
         'Readings' AS method_name, moment AS time_requested, moment AS time_received,
         ['night']::VARCHAR[] AS tags, '{}'::JSON AS additional_parameters, data::JSON AS data
       FROM (${rows})) TO '${join(this.directory, name)}' (FORMAT parquet)`,
    );
    connection.closeSync();
    instance.closeSync();
    this.files.push(name);
  }

  /** Returns the description of the folder that a query job needs. */
  readings(shape: DataShape = 'JSON', more: Partial<ReadingsFiles> = {}): ReadingsFiles {
    const { directory, files } = this;
    const organizationId = directory;
    return {
      organizationId,
      directory,
      files,
      deletions: [],
      storedFrom: undefined,
      shape,
      ...more,
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true });
  }
}
