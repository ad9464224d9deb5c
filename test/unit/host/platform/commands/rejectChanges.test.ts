import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { ReadOnlyConnectionError } from '../../../../../src/core/api/readOnly';
import type { Connection } from '../../../../../src/core/model/connection';
import { connectionId } from '../../../../../src/core/model/ids';
import { CommandRegistry } from '../../../../../src/host/platform/commands/commandRegistry';
import { rejectChanges } from '../../../../../src/host/platform/commands/rejectChanges';
import { commandEffects } from '../../../../../src/manifest/commandEffects';
import { type CommandId, commands } from '../../../../../src/manifest/commands';

function toConnection(id: string, readOnly: boolean): Connection {
  return {
    id: connectionId(id),
    label: id,
    baseUrl: `https://${id}.example.com`,
    keyId: '11111111-2222-4333-8444-555555555555',
    kind: 'cloud',
    ...(readOnly && { readOnly: 'chosen' }),
  };
}

const connections = [toConnection('locked', true), toConnection('open', false)];

function createSessions(active: string) {
  const connection = (id: string) => connections.find((one) => one.id === connectionId(id));
  return { active: connection(active), connection };
}

const writing = Object.entries(commandEffects).filter(([, effect]) => effect !== 'nothing') as [
  CommandId,
  string,
][];

describe('rejectChanges', () => {
  it('knows the effect of every command', () => {
    assert.deepEqual(Object.keys(commandEffects).sort(), Object.keys(commands).sort());
  });

  for (const [id, effect] of writing) {
    if (effect === 'fleet') {
      it(`rejects ${id} over a read-only connection`, () => {
        const target = { kind: 'machine', connectionId: connectionId('locked') };
        const run =
          (active: string, ...args: unknown[]) =>
          () =>
            rejectChanges(createSessions(active), id, args);
        assert.throws(run('locked'), ReadOnlyConnectionError);
        assert.throws(run('open', target), ReadOnlyConnectionError);
        assert.throws(run('open', undefined, [target]), ReadOnlyConnectionError);
        assert.doesNotThrow(run('open'));
        const free = { ...target, connectionId: connectionId('open') };
        assert.doesNotThrow(run('locked', free));
      });
    }
    if (effect === 'document') {
      it(`rejects ${id} for a document of a read-only connection`, () => {
        const uri = (connection: string) => ({
          scheme: 'fleetwright',
          authority: connection,
          path: '/parts/p/config',
        });
        const run = (connection: string) => () =>
          rejectChanges(createSessions('open'), id, [uri(connection)]);
        assert.throws(run('locked'), ReadOnlyConnectionError);
        assert.doesNotThrow(run('open'));
        assert.doesNotThrow(() => rejectChanges(createSessions('locked'), id, [uri('open')]));
        const address = { connectionId: connectionId('locked'), subject: { type: 'partConfig' } };
        assert.throws(
          () => rejectChanges(createSessions('open'), id, [address]),
          ReadOnlyConnectionError,
        );
      });
    }
  }

  it('runs before the command, which then does not run', async () => {
    const callbacks = new Map<string, (...args: unknown[]) => unknown>();
    const api = {
      registerCommand: (id: string, callback: (...args: unknown[]) => unknown) => {
        callbacks.set(id, callback);
        return { dispose: () => undefined };
      },
      executeCommand: () => Promise.reject(new Error('not expected')),
    };
    const presented: unknown[] = [];
    const ran: string[] = [];
    const registry = new CommandRegistry(
      api,
      (error) => presented.push(error),
      (id, args) => Promise.resolve().then(() => rejectChanges(createSessions('locked'), id, args)),
    );
    for (const [id, effect] of writing) {
      if (effect !== 'fleet') continue;
      registry.register(id, () => ran.push(id));
      await callbacks.get(id)?.();
    }
    assert.equal(ran.length, 0);
    assert.ok(presented.length > 0);
    assert.ok(presented.every((error) => error instanceof ReadOnlyConnectionError));
    registry.register('fleetwright.resource.find', () => ran.push('find'));
    await callbacks.get('fleetwright.resource.find')?.();
    assert.deepEqual(ran, ['find']);
  });
});
