import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { withToken } from '../../../base/cancellation';
import { systemClock } from '../../../base/clock';
import type { ToolSession } from '../../../core/agentTools/agentTool';
import { findTool } from '../../../core/agentTools/agentTools';
import { runTool } from '../../../core/agentTools/runTool';
import { StoredResults } from '../../../core/agentTools/storedResults';
import type { Connection } from '../../../core/model/connection';
import { toDisplayText } from '../../../core/model/displayText';
import type { ConnectionId, MachineId, PartId } from '../../../core/model/ids';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { requireConnection } from '../../platform/sessionProvider';

const MAX_SHOWN_LENGTH = 80;

const createId = (): string => randomBytes(16).toString('hex');

/** Calls of tools by agents in the chat, for the active connection of this window. */
export class ToolCalls {
  /** Results of each connection, so that an answer never has the data of another one. */
  private readonly results = new Map<ConnectionId, StoredResults>();

  constructor(private readonly connections: ConnectionStore) {}

  /**
   * Describes a call for the user: the tool, the connection, and the parameters, with the names of
   * machines and parts if they are known.
   */
  async prepare(title: string, input: object): Promise<vscode.PreparedToolInvocation> {
    const connection = this.connections.active;
    if (!connection) return { invocationMessage: title };
    const stores = this.connections.stores(connection.id);
    const parameters = await Promise.all(
      Object.entries(input).map(async ([name, value]) => {
        const text = (await findName(stores, name, value)) ?? formatValue(value);
        return `${name} = ${toDisplayText(text, MAX_SHOWN_LENGTH)}`;
      }),
    );
    const label = toDisplayText(connection.label);
    return {
      invocationMessage:
        parameters.length === 0
          ? vscode.l10n.t('{0} on "{1}"', title, label)
          : vscode.l10n.t('{0} on "{1}" ({2})', title, label, parameters.join(', ')),
    };
  }

  /** Runs a tool. @throws FleetError `unsupported` if there is none with this name */
  async invoke(
    name: string,
    input: object,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const tool = findTool(name);
    const session = this.createSession(requireConnection(this.connections));
    const answer = await withToken(token, (signal) => runTool(tool, input, session, { signal }));
    const text = new vscode.LanguageModelTextPart(answer.text);
    const { image } = answer;
    return new vscode.LanguageModelToolResult(
      image ? [text, vscode.LanguageModelDataPart.image(image.bytes, image.mimeType)] : [text],
    );
  }

  private createSession({ id, label }: Connection): ToolSession {
    const { connections } = this;
    const results = this.results.get(id) ?? new StoredResults(systemClock, createId);
    this.results.set(id, results);
    return {
      stores: connections.stores(id),
      connectionId: id,
      connectionLabel: label,
      clock: systemClock,
      getSecrets: async () => [
        (await connections.readKey(id)).secret,
        await connections.session(id).getToken(),
      ],
      results,
      createId,
      createTimeout: (milliseconds) => AbortSignal.timeout(milliseconds),
    };
  }
}

/** Returns the name of a machine or part; undefined if it can't be read or has none. */
async function findName(
  { machines, parts }: FleetStores,
  parameter: string,
  value: unknown,
): Promise<string | undefined> {
  if (typeof value !== 'string') return undefined;
  try {
    if (parameter === 'machineId') return (await machines.get(value as MachineId)).name;
    if (parameter !== 'partId') return undefined;
    const part = await parts.get(value as PartId);
    const machine = await machines.get(part.machineId);
    return `${machine.name} / ${part.name}`;
  } catch {
    // The call itself reports why the resource can't be read.
    return undefined;
  }
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
