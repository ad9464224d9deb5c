import { grpcOpener } from '../../../../src/core/api/grpcOpener';
import { type Connection, toConnectionId } from '../../../../src/core/model/connection';
import { organizationId, type OrganizationId, type PartId } from '../../../../src/core/model/ids';
import { FleetSession } from '../../../../src/core/sessions/fleetSession';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { startHttpDeployment } from '../../../contract/deployment';
import { openMemoryFleet } from '../../../support/memoryFleet';
import { silentLogger } from '../../../support/silentLogger';
import { TestClock } from '../../../support/testClock';
import { TestSessions } from '../../../support/testSessions';

/** A fleet with one machine, to whose part tests upload data. */
export interface UploadsFleet {
  readonly stores: FleetStores;
  readonly organization: OrganizationId;
  readonly part: PartId;
  close(): Promise<void>;
}

export type OpenUploadsFleet = () => Promise<UploadsFleet>;

/** The service in this process, without a network. */
export const inMemory: OpenUploadsFleet = async () => {
  const fleet = await openMemoryFleet();
  const sessions = new TestSessions(fleet);
  const organization = organizationId(fleet.organizationId);
  return {
    stores: sessions.stores(),
    organization,
    part: await newPart(sessions.stores(), organization),
    close: async () => {
      sessions.dispose();
      await fleet.close();
    },
  };
};

/** The service behind a port, called as the extension does. */
export const overGrpc: OpenUploadsFleet = async () => {
  const deployment = await startHttpDeployment(new TestClock(), 'gRPC');
  const { apiKeyId: id, apiKey: secret, organizationId: owner } = deployment.owner;
  const connection: Connection = {
    id: toConnectionId(id),
    label: 'Test',
    baseUrl: deployment.url,
    keyId: id,
    kind: 'cloud',
  };
  const open = grpcOpener(silentLogger, () => []);
  const session = new FleetSession(connection, open, () => Promise.resolve({ id, secret }));
  const organization = organizationId(owner);
  return {
    stores: session.stores,
    organization,
    part: await newPart(session.stores, organization),
    close: async () => {
      session.dispose();
      await deployment.stop();
    },
  };
};

async function newPart(stores: FleetStores, organization: OrganizationId): Promise<PartId> {
  const hall = await stores.locations.create(organization, 'Hall', undefined);
  const machine = await stores.machines.create(hall.id, 'arm-1');
  const [part] = await stores.parts.list(machine);
  if (!part) throw new Error('The machine has no part.');
  return part.id;
}
