import * as vscode from 'vscode';
import { withToken } from '../../../base/cancellation';
import type { ToolSession } from '../../../core/agentTools/agentTool';
import { findTool } from '../../../core/agentTools/agentTools';
import { QuestionLimits } from '../../../core/agentTools/questionLimits';
import { runTool } from '../../../core/agentTools/runTool';
import { systemSession } from '../../../core/agentTools/systemSession';
import { StoredResults } from '../../../core/agentTools/storedResults';
import type { Connection } from '../../../core/model/connection';
import { toDisplayText } from '../../../core/model/displayText';
import type { ConnectionId, MachineId, PartId } from '../../../core/model/ids';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { AgentWorkspace } from '../../../files/agentWorkspace';
import type { AgentProposals } from '../../platform/documents/agentProposals';
import { requireConnection } from '../../platform/sessionProvider';
import { confirmExport, createWriteAccess } from './agentWrites';

const MAX_SHOWN_LENGTH = 80;

/** Calls of tools by agents in the chat, for the active connection of this window. */
export class ToolCalls {
  /** Results of each connection, so that an answer never has the data of another one. */
  private readonly results = new Map<ConnectionId, StoredResults>();
  private readonly workspace = new AgentWorkspace(listFolders);
  private readonly questions = new QuestionLimits(systemSession.clock);

  constructor(
    private readonly connections: ConnectionStore,
    private readonly proposals: AgentProposals,
  ) {}

  /**
   * Describes a call for the user: the tool, the connection, and the parameters, with the names of
   * machines and parts if they are known. Has no confirmation, which settings can skip: `runTool` prompts.
   */
  async prepare(title: string, input: object): Promise<vscode.PreparedToolInvocation> {
    return { invocationMessage: await this.describe(title, input) };
  }

  private async describe(title: string, input: object): Promise<string> {
    const connection = this.connections.active;
    if (!connection) return title;
    const stores = this.connections.stores(connection.id);
    const parameters = await Promise.all(
      Object.entries(input).map(async ([name, value]) => {
        const text = (await findName(stores, name, value)) ?? formatValue(value);
        return `${name} = ${toDisplayText(text, MAX_SHOWN_LENGTH)}`;
      }),
    );
    const label = toDisplayText(connection.label);
    return parameters.length === 0
      ? vscode.l10n.t('{0} on "{1}"', title, label)
      : vscode.l10n.t('{0} on "{1}" ({2})', title, label, parameters.join(', '));
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

  private createSession(connection: Connection): ToolSession {
    const { connections, proposals } = this;
    const { id, baseUrl } = connection;
    const results =
      this.results.get(id) ?? new StoredResults(systemSession.clock, systemSession.createId);
    this.results.set(id, results);
    return {
      ...systemSession,
      stores: connections.stores(id),
      connectionId: id,
      // Anyone who can rename the organization can change the label.
      connectionLabel: new URL(baseUrl).host,
      getSecrets: async () => [
        (await connections.readKey(id)).secret,
        await connections.session(id).getToken(),
      ],
      results,
      confirmExport: (confirmation) => confirmExport(connection, confirmation),
      questions: this.questions,
      writes: createWriteAccess(connections, proposals, id),
      workspace: listFolders().length > 0 ? this.workspace : undefined,
    };
  }
}

/** Returns the workspace folders that are on this computer. */
function listFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    uri.scheme === 'file' ? [uri.fsPath] : [],
  );
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
