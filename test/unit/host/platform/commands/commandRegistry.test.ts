import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import { organizationId, connectionId } from '../../../../../src/core/model/ids';
import type { OrganizationTarget } from '../../../../../src/core/model/resourceTarget';
import { CommandRegistry } from '../../../../../src/host/platform/commands/commandRegistry';

type Callback = (...args: unknown[]) => unknown;

const target: OrganizationTarget = {
  kind: 'organization',
  connectionId: connectionId('c'),
  organizationId: organizationId('o'),
  name: 'Acme',
};

describe('CommandRegistry', () => {
  let callbacks: Map<string, Callback>;
  let presented: { readonly error: unknown; readonly retry: () => void }[];
  let registry: CommandRegistry;

  beforeEach(() => {
    callbacks = new Map();
    presented = [];
    const api = {
      registerCommand: (id: string, callback: Callback) => {
        callbacks.set(id, callback);
        return { dispose: () => callbacks.delete(id) };
      },
      executeCommand: async <T>(id: string, ...args: unknown[]) =>
        (await callbacks.get(id)?.(...args)) as T,
    };
    registry = new CommandRegistry(api, (error, retry) => presented.push({ error, retry }));
  });

  it('passes on the target of a tree item, and other arguments unchanged', async () => {
    const seen: unknown[] = [];
    registry.register('fleetwright.organization.rename', (argument) => seen.push(argument));
    await callbacks.get('fleetwright.organization.rename')?.({ id: 'node', target }, [{}]);
    await registry.execute('fleetwright.organization.rename', target);
    await registry.execute('fleetwright.organization.rename');
    assert.deepEqual(seen, [target, target, undefined]);
  });

  it('passes on all selected resources, but not hints and errors', async () => {
    const seen: unknown[] = [];
    registry.register('fleetwright.bulk.delete', (clicked, selected) =>
      seen.push(clicked, selected),
    );
    const node = { kind: 'organization', target };
    const hint = { kind: 'hint', target };
    const error = { kind: 'error' };
    await callbacks.get('fleetwright.bulk.delete')?.(node, [node, hint, error]);
    await registry.execute('fleetwright.bulk.delete', undefined, [target]);
    assert.deepEqual(seen, [target, [target], undefined, [target]]);
  });

  it('passes on the files that are selected in the explorer', async () => {
    const seen: unknown[] = [];
    registry.register('fleetwright.data.uploadFiles', (clicked, selected) =>
      seen.push(clicked, selected),
    );
    const file = { scheme: 'file', fsPath: '/a', path: '/a' };
    await callbacks.get('fleetwright.data.uploadFiles')?.(file, [file]);
    assert.deepEqual(seen, [file, [file]]);
  });

  it('presents an error, and retries with the same arguments', async () => {
    let calls = 0;
    registry.register('fleetwright.organization.rename', () => {
      calls += 1;
      if (calls === 1) throw new FleetError('unavailable', 'down', { action: 'retry' });
    });
    await registry.execute('fleetwright.organization.rename', target);
    assert.equal(presented.length, 1);
    presented[0]?.retry();
    await new Promise(setImmediate);
    assert.equal(calls, 2);
    assert.equal(presented.length, 1);
  });

  it('removes its commands on disposal', () => {
    registry.register('fleetwright.fleet.refresh', () => undefined);
    registry.dispose();
    assert.equal(callbacks.size, 0);
  });
});
