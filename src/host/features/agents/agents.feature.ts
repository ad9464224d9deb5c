import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import { mcpProvider } from '../../../manifest/contributions';
import type { Commands } from '../../platform/commands/commandRegistry';
import type { AgentAccess } from './agentAccess';

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
    let access: Promise<AgentAccess> | undefined;
    // Loaded when an agent first uses a tool or a server.
    const load = (): Promise<AgentAccess> =>
      (access ??= import('./agentAccess').then(
        (module) => new module.AgentAccess(connections, extension.extensionPath),
      ));
    const { contributes } = extension.packageJSON as Manifest;
    for (const { name, displayName } of contributes.languageModelTools) {
      this.register(
        vscode.lm.registerTool<object>(name, {
          prepareInvocation: async ({ input }) => (await load()).prepare(displayName, input),
          invoke: async ({ input }, token) => (await load()).invoke(name, input, token),
        }),
      );
    }
    this.register(
      vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, {
        onDidChangeMcpServerDefinitions: (listener) =>
          connections.onDidChangeActive(() => void listener()),
        provideMcpServerDefinitions: async () => (await load()).provideServers(),
        resolveMcpServerDefinition: async (server) => (await load()).addKey(server),
      }),
    );
    this.register(
      commands.register('fleetwright.connection.copyMcpConfiguration', async () =>
        (await load()).copyMcpConfiguration(),
      ),
    );
  }
}
