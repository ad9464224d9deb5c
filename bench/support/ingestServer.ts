import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { DataSyncService } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { microsFromTimestamp } from '../../src/service/store/micros';

/** Maximum message size, which is larger than that of any upload. */
const READ_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Runs a server to measure uploads of readings without the fleet service. The server is connect-node
 * in its documented setup. It stores the readings of an upload in one durable transaction, in a
 * database with the fleet service's tables and the series 1 of the organization `acme`. It checks
 * nothing, and readings are not prepared for queries.
 */
async function main(file: string): Promise<void> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  database.exec('pragma journal_mode = wal; pragma synchronous = full;');
  const insert = database.prepare(
    `insert into readings (series_id, organization_id, requested_at, received_at, synced_at, size, payload)
      values (1, 'acme', ?, ?, 1, ?, ?)`,
  );
  const server = createServer(
    connectNodeAdapter({
      readMaxBytes: READ_MAX_BYTES,
      routes: (router) =>
        router.service(DataSyncService, {
          dataCaptureUpload({ sensorContents }) {
            database.exec('begin immediate');
            for (const { data, metadata } of sensorContents) {
              const payload = JSON.stringify(data.value);
              const { timeRequested, timeReceived } = metadata ?? {};
              if (timeRequested === undefined || timeReceived === undefined) continue;
              const [requested, received] = [timeRequested, timeReceived].map(microsFromTimestamp);
              insert.run(requested ?? 0, received ?? 0, Buffer.byteLength(payload), payload);
            }
            database.exec('commit');
            return {};
          },
        }),
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
}

void main(process.argv[2] ?? '');
