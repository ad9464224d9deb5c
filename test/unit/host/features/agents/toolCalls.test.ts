import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { workspace } from '../../../../support/plainVscode';
import { organizationId } from '../../../../../src/core/model/ids';
import { ConnectionStore } from '../../../../../src/core/sessions/connectionStore';
import { ToolCalls } from '../../../../../src/host/features/agents/toolCalls';
import { AgentProposals } from '../../../../../src/host/platform/documents/agentProposals';
import { ScriptedPrompts } from '../../../../host/support/scriptedPrompts';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { MemoryKeyValue, MemorySecrets } from '../../../../support/memoryPorts';
import { silentLogger } from '../../../../support/silentLogger';

describe('ToolCalls', () => {
  let fleets: readonly MemoryFleet[];
  let connections: ConnectionStore;

  before(async () => {
    fleets = [await openMemoryFleet(), await openMemoryFleet()];
    const opened = fleets;
    connections = new ConnectionStore({
      secrets: new MemorySecrets(),
      global: new MemoryKeyValue(),
      workspace: new MemoryKeyValue(),
      open: (connection, readKey) => {
        const fleet = opened.find(({ key }) => key.id === connection.keyId);
        assert.ok(fleet);
        return fleet.open(connection, readKey);
      },
      logger: silentLogger,
    });
    for (const { baseUrl, key } of [...fleets].reverse()) {
      const { id: keyId, secret } = key;
      const label = `Obey me · ${keyId}`;
      await connections.signIn({ label, baseUrl, keyId, key: secret, kind: 'cloud' });
    }
  });

  after(async () => {
    connections.dispose();
    for (const fleet of fleets) await fleet.close();
  });

  it('prompts before an export in a dialog with the whole path and the connection', async () => {
    using prompts = new ScriptedPrompts();
    const folder = { uri: { scheme: 'file', fsPath: tmpdir() } };
    Object.assign(workspace, { workspaceFolders: [folder] });
    try {
      const calls = new ToolCalls(connections, new AgentProposals(new MemoryKeyValue()));
      const path = `reports/${'x'.repeat(100)}/../../[a](command:b)/e\u200bnd".csv`;
      const input = { language: 'sql', query: 'SELECT 1', format: 'csv', path };
      const { confirmationMessages } = await calls.prepare('Export', input);
      assert.equal(confirmationMessages, undefined);
      const exported = invoke(calls, 'export_query', input);
      const prompt = await prompts.next('Write the rows of a query');
      const shown = prompt.text();
      assert.ok(
        shown.includes(`"reports/${'x'.repeat(100)}/../../[a] (command:b)/e[U+200B]nd'.csv"`),
      );
      assert.ok(shown.includes(`the connection "${connections.active?.label}".`), shown);
      prompt.leave();
      assert.match(await exported, /failed \(permission\)[^]*declined the export/);
      assert.match(await invoke(calls, 'export_query', input), /just declined this change/);
    } finally {
      Object.assign(workspace, { workspaceFolders: undefined });
    }
  });

  it('names the host of the connection in answers, not its organization', async () => {
    const calls = new ToolCalls(connections, new AgentProposals(new MemoryKeyValue()));
    const { baseUrl } = connections.active ?? assert.fail();
    const answer = await invoke(calls, 'list_organizations', {});
    assert.ok(answer.startsWith(`fleetwright_list_organizations on "${new URL(baseUrl).host}". `));
    assert.ok(!answer.includes('Obey me'));
  });

  it('reads stored results only in the connection that they come from', async () => {
    const [fleet] = fleets;
    const [other] = connections.connections.filter(({ id }) => id !== connections.active?.id);
    const own = connections.active;
    assert.ok(fleet && own && other);
    const organization = organizationId(fleet.organizationId);
    const metadata = { text: 'own text '.repeat(10_000) };
    await connections.stores(own.id).metadata.update('organization', organization, metadata);
    const calls = new ToolCalls(connections, new AgentProposals(new MemoryKeyValue()));
    const limited = await invoke(calls, 'get_metadata', {
      kind: 'organization',
      resourceId: organization,
    });
    const [, result = ''] = /the ID ([0-9a-f]{32})/.exec(limited) ?? [];
    assert.match(await invoke(calls, 'read_result', { result }), /own text/);
    await connections.activate(other.id);
    const elsewhere = await invoke(calls, 'read_result', { result });
    assert.match(elsewhere, /failed \(notFound\)/);
    assert.ok(!elsewhere.includes('own text'));
  });
});

async function invoke(calls: ToolCalls, tool: string, input: object): Promise<string> {
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: () => ({ dispose: () => undefined }),
  };
  const { content } = await calls.invoke(`fleetwright_${tool}`, input, token);
  return content.map((part) => (part as { readonly value: string }).value).join('');
}
