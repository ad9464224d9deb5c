import assert from 'node:assert/strict';
import { clientsOver } from '../../../../src/core/api/fleetClients';
import { createInterceptedTransport } from '../../../../src/core/api/interceptedTransport';
import { apiKeyId, organizationId } from '../../../../src/core/model/ids';
import { FleetStores } from '../../../../src/core/stores/fleetStores';
import { connectedTransport } from '../../../support/connectedTransport';
import { openMemoryFleet } from '../../../support/memoryFleet';
import { RecordingLogger } from '../../../support/recordingLogger';

describe('a new key', () => {
  it('is neither logged at any level nor stored in any store', async () => {
    const fleet = await openMemoryFleet();
    const logger = new RecordingLogger();
    const { transport, getToken } = createInterceptedTransport({
      baseUrl: fleet.baseUrl,
      openWire: (interceptors) => fleet.wire(interceptors),
      readKey: () => Promise.resolve(fleet.key),
      logger,
      clock: fleet.clock,
      sleep: () => Promise.resolve(),
      random: () => 0.5,
    });
    const stores = new FleetStores(clientsOver(connectedTransport(transport)));
    const { apiKeys } = stores;
    const organization = organizationId(fleet.organizationId);
    const role = { name: 'operator', resourceType: 'organization' } as const;
    const received: unknown[] = [];
    apiKeys.onDidChange((change) => received.push(change));

    const made = await apiKeys.create(organization, {
      name: 'canary',
      roles: [{ ...role, resourceId: organization }],
    });
    const rotated = await apiKeys.rotate(organization, apiKeyId(made.id));
    const copied = await apiKeys.duplicate(organization, apiKeyId(made.id));
    const secrets = [made, rotated, copied].map(({ secret }) => secret);
    await assert.rejects(apiKeys.rotate(organization, apiKeyId('nobody')));
    received.push(await apiKeys.list(organization));

    const output = JSON.stringify([logger.lines, received]);
    assert.match(output, /CreateKey/);
    for (const secret of [...secrets, fleet.key.secret, await getToken()]) {
      assert.ok(!output.includes(secret));
    }
    stores.dispose();
    await fleet.close();
  });
});
