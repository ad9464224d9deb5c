import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import { mcpProvider } from '../../../manifest/contributions';
import type { Commands } from '../../platform/commands/commandRegistry';
import type { ToolCalls } from './toolCalls';

/** The parts of package.json that determine the tools, in the language of VS Code. */
interface Manifest {
  readonly contributes: {
    readonly languageModelTools: readonly { readonly name: string; readonly displayName: string }[];
  };
}

/** Offers the tools for agents to VS Code, and the command line's MCP server to its clients. */
export class AgentsFeature extends Disposable {
  constructor(
    commands: Commands,
    connections: ConnectionStore,
    { extension }: Pick<vscode.ExtensionContext, 'extension'>,
  ) {
    super();
    let calls: Promise<ToolCalls> | undefined;
    // Loaded when an agent first uses a tool or a server.
    const loadCalls = (): Promise<ToolCalls> =>
      (calls ??= import('./toolCalls').then((module) => new module.ToolCalls(connections)));
    const loadServers = () => import('./mcpConfiguration');
    const cli = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'cli.js').fsPath;
    const { contributes } = extension.packageJSON as Manifest;
    for (const { name, displayName } of contributes.languageModelTools) {
      this.register(
        vscode.lm.registerTool<object>(name, {
          prepareInvocation: async ({ input }) => (await loadCalls()).prepare(displayName, input),
          invoke: async ({ input }, token) => (await loadCalls()).invoke(name, input, token),
        }),
      );
    }
    this.register(
      vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, {
        onDidChangeMcpServerDefinitions: (listener) =>
          connections.onDidChangeActive(() => void listener()),
        provideMcpServerDefinitions: async () =>
          (await loadServers()).provideServers(connections, cli),
        resolveMcpServerDefinition: async (server) =>
          (await loadServers()).addKey(connections, server),
      }),
    );
    this.register(
      commands.register('fleetwright.connection.copyMcpConfiguration', async () =>
        (await loadServers()).copyMcpConfiguration(connections, cli),
      ),
    );
  }
}
