import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { version } from '../../../../package.json';
import { type Connection, parseBaseUrl } from '../../../core/model/connection';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import { toDisplayText } from '../../../core/model/displayText';
import { settings } from '../../../manifest/contributions';
import { requireConnection } from '../../platform/sessionProvider';
import { readSetting } from '../../platform/settingsReader';
import { allowsAgentWrites } from './agentWrites';

/** Placeholder for the key in a copied configuration. */
const KEY_PLACEHOLDER = '<API key>';

/** Variables of a server's environment; the key is added only when the server starts. */
const KEY_ID = 'SVC_API_KEY_ID';
const KEY = 'SVC_API_KEY';
const URL_VARIABLE = 'FLEETWRIGHT_BASE_URL';

/**
 * Returns the MCP server for the active connection of this window, without its key, because VS Code
 * stores definitions.
 *
 * @param extensionPath folder of the extension
 */
export function provideServers(
  { active }: ConnectionStore,
  extensionPath: string,
): vscode.McpStdioServerDefinition[] {
  if (!active) return [];
  const label = `Fleetwright: ${toDisplayText(active.label)}`;
  const environment = { ...toEnvironment(active), ELECTRON_RUN_AS_NODE: '1' };
  return [
    new vscode.McpStdioServerDefinition(
      label,
      process.execPath,
      toArguments(extensionPath, active),
      environment,
      version,
    ),
  ];
}

/**
 * Adds the key to the environment of a server that is about to start, and the current URL of the
 * connection, because the local fleet's URL changes with each start. Also applies the current
 * settings.
 *
 * @param extensionPath folder of the extension
 * @throws FleetError if the connection was signed out or its service can't be reached
 */
export async function addKey(
  connections: ConnectionStore,
  extensionPath: string,
  server: vscode.McpServerDefinition,
): Promise<vscode.McpServerDefinition> {
  if (!(server instanceof vscode.McpStdioServerDefinition)) return server;
  const match = connections.connections.find(({ keyId }) => keyId === server.env[KEY_ID]);
  const { id } = requireConnection(connections, match?.id);
  // Starts the local fleet.
  await connections.session(id).getToken();
  const { secret } = await connections.readKey(id);
  const current = requireConnection(connections, id);
  server.args = toArguments(extensionPath, current);
  server.env = { ...server.env, ...toEnvironment(current), [KEY]: secret };
  return server;
}

/**
 * Copies a configuration for other clients, with a placeholder instead of the key, because clients
 * store configurations in files.
 */
export async function copyMcpConfiguration(
  connections: ConnectionStore,
  extensionPath: string,
): Promise<void> {
  const connection = requireConnection(connections);
  const server = {
    command: 'node',
    args: toArguments(extensionPath, connection),
    env: { ...toEnvironment(connection), [KEY]: KEY_PLACEHOLDER },
  };
  const configuration = { mcpServers: { fleetwright: server } };
  await vscode.env.clipboard.writeText(JSON.stringify(configuration, undefined, 2));
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Copied the MCP configuration of "{0}" without its API key. Replace "{1}" with the key, or use a separate key for agents.',
      toDisplayText(connection.label),
      KEY_PLACEHOLDER,
    ),
  );
}

function toEnvironment({ baseUrl, keyId }: Connection): Record<string, string> {
  return { [URL_VARIABLE]: baseUrl, [KEY_ID]: keyId };
}

function toArguments(extensionPath: string, connection: Connection): string[] {
  const url = parseBaseUrl(connection.baseUrl);
  // The user has already accepted this when signing in.
  const sendsKeyInClear = url.ok && url.keyTravelsInClear;
  // `--workspace` is omitted, because only the extension's own tools prompt with its dialog before an
  // export.
  return [
    join(extensionPath, 'dist', 'cli.js'),
    'mcp',
    ...(allowsAgentWrites(connection) ? ['--allow-writes'] : []),
    ...(sendsKeyInClear ? ['--allow-plain-http'] : []),
    // The extension ignores files that can't be read, too.
    ...readSetting(settings.certificateAuthorities)
      .filter((path) => existsSync(path))
      .flatMap((path) => ['--ca', path]),
  ];
}
