import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DatabaseListening } from '../../../../src/service/mongo/databaseEndpoint';
import { CommandError } from '../../../../src/service/files/commandError';
import { parseCommandLine } from '../../../../src/service/process/commandLine';
import { startDatabaseEndpoint } from '../../../../src/service/process/endpoints';
import { RecordingLogger } from '../../../support/recordingLogger';

const CERTIFICATES = join(import.meta.dirname, '../../core/api/certificates');

describe('startDatabaseEndpoint', () => {
  let logger: RecordingLogger;
  let listening: DatabaseListening[] = [];

  beforeEach(() => {
    logger = new RecordingLogger();
    listening = [];
  });

  const start = async (line: string, failure?: string): Promise<void> => {
    const command = parseCommandLine(['serve', ...line.split(' ').filter(Boolean)], {});
    assert.ok(command.kind === 'serve');
    const endpoint = {
      listen: (where: DatabaseListening) => {
        listening.push(where);
        return failure === undefined
          ? Promise.resolve({ host: 'h', isEncrypted: false })
          : Promise.reject(Object.assign(new Error(failure), { code: failure }));
      },
    };
    await startDatabaseEndpoint(command, endpoint, logger);
  };

  it('listens on this machine by default, and not at all if the service listens for others', async () => {
    await start('');
    assert.deepEqual(
      listening.map(({ host, port, tls }) => [host, port, tls]),
      [['127.0.0.1', 0, undefined]],
    );
    await start('--host 0.0.0.0');
    assert.equal(listening.length, 1);
    assert.deepEqual(logger.lines, []);
  });

  it('warns about plaintext on a network, and uses the certificate of the service', async () => {
    await start('--host 10.0.0.1 --mongo-port 27017');
    assert.match(logger.lines[0]?.message ?? '', /plaintext/);
    const [cert, key] = ['cert', 'key'].map((kind) => join(CERTIFICATES, `selfSigned.${kind}.pem`));
    await start(
      `--host 10.0.0.1 --mongo-port 27017 --tls-cert ${cert ?? ''} --tls-key ${key ?? ''}`,
    );
    assert.match(listening[1]?.tls?.cert ?? '', /BEGIN CERTIFICATE/);
    assert.equal(logger.lines.length, 1);
  });

  it('returns a host name that clients can connect to', async () => {
    await start('--host 0.0.0.0 --mongo-port 1 --public-url https://fleet.example.com');
    await start('--host :: --mongo-port 1');
    await start('--host 0.0.0.0 --mongo-port 1 --public-url http://[fd00::1]');
    await start('--host 10.0.0.1 --mongo-port 1 --public-url https://fleet.example.com');
    assert.deepEqual(
      listening.map(({ publicHost }) => publicHost),
      ['fleet.example.com', '::1', 'fd00::1', undefined],
    );
  });

  it('reports which option to fix', async () => {
    for (const [code, message] of [
      ['EADDRINUSE', /another port with --mongo-port/],
      ['EACCES', /above 1023 with --mongo-port/],
      ['EADDRNOTAVAIL', /another address with --mongo-host/],
    ] as const) {
      await assert.rejects(
        start('--mongo-port 99', code),
        (error) => error instanceof CommandError && message.test(error.message),
      );
    }
  });
});
