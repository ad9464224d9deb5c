import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Client, createClient } from '@connectrpc/connect';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { signedInTransport } from '../../src/simulate/fleet/fleetMachines';
import { CapturingPart } from '../support/capturingPart';
import { type HttpFleet, openHttpFleet } from '../support/httpFleet';
import { silentLogger } from '../support/silentLogger';
import { waitUntil } from '../support/waitUntil';

/** More than the service sends before the client reads, because of the flow control of HTTP/2. */
const CONTENT_BYTES = 3 * 1024 * 1024;

describe('downloads while their organization is deleted', () => {
  let fleet: HttpFleet;
  let app: Client<typeof AppService>;
  let session: ClientHttp2Session;
  let bytes: Buffer;
  let request: Record<string, string>;

  beforeEach(async () => {
    fleet = await openHttpFleet(() => false, silentLogger);
    const part = await CapturingPart.create(fleet, fleet.session.stores);
    bytes = randomBytes(CONTENT_BYTES);
    const id = await part.capture({ bytes });
    const { id: entity, secret: payload } = fleet.key;
    request = { ':path': `/binary-data/${id}`, key_id: entity, key: payload };
    const credentials = { type: 'api-key', entity, payload } as const;
    app = createClient(
      AppService,
      await signedInTransport((interceptors) => fleet.wire(interceptors), credentials),
    );
    session = connect(fleet.url);
  });

  afterEach(async () => {
    session.destroy();
    await fleet.close();
  });

  /** Deletes the organization, and waits until the contents of its items are also deleted. */
  async function deleteOrganization(): Promise<void> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const path = join(fleet.blobsDir, hash.slice(0, 2), hash.slice(2));
    assert.ok(existsSync(path));
    await app.deleteOrganization({ organizationId: fleet.organizationId });
    await waitUntil(() => !existsSync(path));
  }

  for (const [title, range, expected] of [
    ['the whole content', {}, [0, CONTENT_BYTES]],
    ['a range', { range: `bytes=7-${CONTENT_BYTES - 8}` }, [7, CONTENT_BYTES - 7]],
  ] as const) {
    it(`receive ${title} if they started before`, async () => {
      const stream = session.request({ ...request, ...range });
      await once(stream, 'response');
      await deleteOrganization();
      const received = await buffer(stream);
      assert.equal(Buffer.compare(received, bytes.subarray(...expected)), 0);
    });
  }

  it('are rejected if they start afterward, because the key was also deleted', async () => {
    await deleteOrganization();
    const stream = session.request(request);
    const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
    assert.equal(headers[':status'], 403);
    await buffer(stream);
  });
});
