import assert from 'node:assert/strict';
import { createClient } from '@connectrpc/connect';
import { FleetError } from '../../../../src/core/api/errors';
import { organizationId } from '../../../../src/core/model/ids';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { Visibility } from '../../../../src/gen/viam/app/v1/registry_pb';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('AppStore', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  it('describes an app, and reports a missing one', async () => {
    const stores = sessions.stores();
    await stores.organizations.update(organizationId(fleet.organizationId), {
      publicNamespace: 'acme',
    });
    await publishApp();
    assert.deepEqual(await stores.apps.get('acme', 'panel'), {
      entrypoint: 'index.html',
      storedAt: '',
      use: 'oneMachine',
      isPublic: true,
    });
    await assert.rejects(
      stores.apps.get('acme', 'absent'),
      (error) => error instanceof FleetError && error.kind === 'notFound',
    );
  });

  async function publishApp(): Promise<void> {
    const opened = fleet.open(sessions.connectionToFleet, () => Promise.resolve(fleet.key));
    const app = createClient(AppService, opened.transport);
    await app.createModule({ organizationId: fleet.organizationId, name: 'panels' });
    await app.updateModule({
      moduleId: 'acme:panels',
      entrypoint: 'run.sh',
      visibility: Visibility.PUBLIC,
      apps: [{ name: 'panel', type: 'single_machine', entrypoint: 'index.html' }],
    });
  }
});
