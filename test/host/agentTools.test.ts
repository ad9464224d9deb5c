import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentTools } from '../../src/core/agentTools/agentTools';
import { toJsonSchema } from '../../src/core/agentTools/toolSchema';
import { HostFleet } from './support/hostFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';
import { until } from './support/until';

describe('tools for agents in a real extension host', () => {
  before(() => HostFleet.open());

  function call(name: string, input: object): Thenable<vscode.LanguageModelToolResult> {
    return vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  }

  function readText({ content }: vscode.LanguageModelToolResult): string {
    return content
      .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
      .join('');
  }

  it('are all offered with their schemas', () => {
    const own = vscode.lm.tools.filter(({ name }) => name.startsWith('fleetwright_'));
    // VS Code lists all tools here, and evaluates their conditions when it offers them to a model.
    assert.deepEqual(own.map(({ name }) => name).sort(), agentTools.map(({ name }) => name).sort());
    for (const { name, description, inputSchema, tags } of own) {
      const definition = agentTools.find((tool) => tool.name === name);
      assert.ok(definition);
      assert.equal(description, definition.description);
      assert.deepEqual(inputSchema, toJsonSchema(definition.input));
      assert.deepEqual(tags, ['fleetwright']);
    }
  });

  it('answer with data of the active connection, in a fence', async () => {
    const text = readText(await call('fleetwright_list_organizations', {}));
    assert.match(text, /^fleetwright_list_organizations on ".+"\. Rows: \d+ of \d+\./);
    assert.match(text, /<<<untrusted [0-9a-f]{32}>>>\n.*Norrvik Automation/);
  });

  it('show images as images', async () => {
    const images = readText(await call('fleetwright_list_images', { limit: 1 }));
    const imageId = /"id":"([^"]+)"/.exec(images)?.[1];
    const { content } = await call('fleetwright_view_image', { imageId });
    const image = content.find((part) => part instanceof vscode.LanguageModelDataPart);
    assert.match(image?.mimeType ?? '', /^image\//);
    assert.ok((image?.data.length ?? 0) > 1000);
  });

  it('export to a file only after consent in a dialog of the extension', async () => {
    using prompts = new ScriptedPrompts();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const file = vscode.Uri.joinPath(folder?.uri ?? assert.fail(), 'agent-export.csv');
    const organizations = readText(await call('fleetwright_list_organizations', {}));
    const run = async (limit: number): Promise<string> => {
      const input = {
        language: 'sql',
        query: `SELECT part_id FROM readings LIMIT ${limit}`,
        format: 'csv',
        path: 'agent-export.csv',
        organizationId: /"id":"([^"]+)"/.exec(organizations)?.[1],
      };
      return readText(await call('fleetwright_export_query', input));
    };
    const declined = run(1);
    const prompt = await prompts.next('the new file "agent-export.csv"');
    assert.match(prompt.text(), /An agent requests this export through the connection ".+"\.$/);
    prompt.leave();
    assert.match(await declined, /failed \(permission\)[^]*declined the export/);
    await assert.rejects(async () => vscode.workspace.fs.stat(file));
    const agreed = run(2);
    await prompts.confirm('the new file "agent-export.csv"', 'Write File');
    assert.match(await agreed, /"rows":2/);
    await vscode.workspace.fs.delete(file);
  });

  it('report errors as answers', async () => {
    const text = readText(await call('fleetwright_get_machine', { machine: 'x' }));
    assert.match(text, /failed \(invalid\)[^]*machineId/);
  });

  it('have an MCP configuration to copy, without the key', async () => {
    await vscode.env.clipboard.writeText('');
    void vscode.commands.executeCommand('fleetwright.connection.copyMcpConfiguration');
    await until(
      'a copied configuration',
      async () => (await vscode.env.clipboard.readText()) !== '',
    );
    const { mcpServers } = JSON.parse(await vscode.env.clipboard.readText()) as {
      readonly mcpServers: {
        readonly fleetwright: {
          readonly args: readonly string[];
          readonly env: Readonly<Record<string, string>>;
        };
      };
    };
    const { args, env } = mcpServers.fleetwright;
    assert.match(args[0] ?? '', /dist[\\/]cli\.js$/);
    assert.equal(args[1], 'mcp');
    assert.deepEqual(Object.keys(env), ['FLEETWRIGHT_BASE_URL', 'SVC_API_KEY_ID', 'SVC_API_KEY']);
    assert.equal(env.SVC_API_KEY, '<API key>');
  });
});
