import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import type { OpenTransport } from '../../../../src/core/api/connectionTransport';
import { toConnectionId } from '../../../../src/core/model/connection';
import { organizationId, partId } from '../../../../src/core/model/ids';
import { FleetSession } from '../../../../src/core/sessions/fleetSession';
import { findPart } from '../../../../src/core/stores/findMachines';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { toPseudoText } from '../../../support/pseudoTexts';

describe("a session's errors in the user's language", () => {
  let fleet: MemoryFleet;
  let session: FleetSession | undefined;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
  });

  afterEach(async () => {
    session?.dispose();
    await fleet.close();
  });

  function openSession(open: OpenTransport = fleet.open): FleetSession {
    const { key, baseUrl } = fleet;
    const id = toConnectionId(key.id);
    const connection = { id, label: 'Test', baseUrl, keyId: key.id, kind: 'cloud' } as const;
    const l10n = { t: toPseudoText };
    session = new FleetSession(connection, open, () => Promise.resolve(key), undefined, l10n);
    return session;
  }

  /** Opens a session whose unary calls have empty responses. */
  function openEmptySession(): FleetSession {
    return openSession((...call) => {
      const opened = fleet.open(...call);
      const unary: Transport['unary'] = (method) =>
        Promise.resolve({
          stream: false,
          service: method.parent,
          method,
          header: new Headers(),
          trailer: new Headers(),
          message: create(method.output),
        });
      const stream: Transport['stream'] = (...request) => opened.transport.stream(...request);
      return { ...opened, transport: { unary, stream } };
    });
  }

  it('include responses without the requested resource', async () => {
    const { fragments, parts, organizations } = openEmptySession().stores;
    const expected = {
      kind: 'internal',
      action: 'retry',
      message: toPseudoText('The service sent an incomplete response. Try again.'),
    };
    await assert.rejects(parts.get(partId('part')), expected);
    await assert.rejects(organizations.get(organizationId('org')), expected);
    await assert.rejects(fragments.create(organizationId('org'), 'arm'), expected);
  });

  it('include configs that are not JSON objects', async () => {
    const { fragments } = openSession().stores;
    const owner = organizationId(fleet.organizationId);
    await assert.rejects(fragments.create(owner, 'arm', '{'), {
      kind: 'invalid',
      message: toPseudoText('This is not valid JSON.'),
    });
    await assert.rejects(fragments.create(owner, 'arm', '[]'), {
      kind: 'invalid',
      message: toPseudoText('The document must be a JSON object. Enclose it in { and }.'),
    });
  });

  it('include parts of organizations that the key cannot view', async () => {
    const { stores } = openSession();
    const owner = organizationId(fleet.organizationId);
    const hall = await stores.locations.create(owner, 'Hall', undefined);
    await stores.machines.create(hall.id, 'arm');
    const [machine] = await stores.machines.list(hall.id);
    assert.ok(machine);
    const [part] = await stores.parts.list(machine.id);
    assert.ok(part);
    stores.organizations.list = () => Promise.resolve([]);
    await assert.rejects(findPart(stores, toConnectionId(fleet.key.id), part.id), {
      kind: 'notFound',
      message: toPseudoText(
        'None of your organizations contains the part "{0}". Refresh the Fleet view, or ask an owner for access.',
      ),
    });
  });

  it('include pipelines that are not valid', async () => {
    const { queries } = openSession().stores;
    const query = {
      organizationId: organizationId(fleet.organizationId),
      language: 'mql',
      recent: false,
    } as const;
    for (const [text, message] of [
      ['', 'The pipeline is empty. Enter a list of stages, such as {0}.'],
      ['{}', 'A pipeline is a list of stages, such as {0}.'],
      ['[5]', 'Stage {0} must be an object, such as {1}.'],
      ['[{"$limit" 1}]', 'This is not valid JSON: a colon is missing.'],
      ['[{"$match": {"a": 1, "a": 2}}]', '"{0}" appears twice.'],
      ['[{"$match": {"a": {"$oid": "1"}}}]', 'This is not a valid value for {0}.'],
    ] as const) {
      const rows = queries.run({ ...query, text }, new AbortController().signal);
      const first = rows[Symbol.asyncIterator]().next();
      await assert.rejects(first, { kind: 'invalid', message: toPseudoText(message) }, text);
    }
  });
});
