import * as vscode from 'vscode';
import type { Decision, ProposedDocument, WriteAccess } from '../../../core/agentTools/agentTool';
import { showInvisible } from '../../../core/agentTools/untrustedText';
import { FleetError, isCanceled } from '../../../core/api/errors';
import { requireWritable } from '../../../core/api/readOnly';
import { type Confirmation, quoteText } from '../../../core/confirmations/confirmation';
import { type Connection, matchesAnyPattern } from '../../../core/model/connection';
import { toDisplayText } from '../../../core/model/displayText';
import type { ConnectionId } from '../../../core/model/ids';
import { settings } from '../../../manifest/contributions';
import type { AgentProposals } from '../../platform/documents/agentProposals';
import { getFileName, revisionUri, showConfig } from '../../platform/documents/documentUris';
import { replaceText } from '../../platform/documents/replaceText';
import { confirm, confirmChange } from '../../platform/prompts/prompts';
import { requireConnection, type SessionProvider } from '../../platform/sessionProvider';
import { readSetting } from '../../platform/settingsReader';

/**
 * Returns true if the user lets agents change something through a connection. A read-only connection
 * takes precedence.
 */
export function allowsAgentWrites(connection: Connection): boolean {
  return !connection.readOnly && matchesAnyPattern(readSetting(settings.agentWrites), connection);
}

/** Returns the means by which agents in the chat change something through a connection. */
export function createWriteAccess(
  sessions: SessionProvider,
  proposals: AgentProposals,
  id: ConnectionId,
): WriteAccess {
  return {
    requireAllowed: () => {
      const connection = requireConnection(sessions, id);
      requireWritable(connection, vscode.l10n);
      if (allowsAgentWrites(connection)) return;
      throw new FleetError(
        'permission',
        vscode.l10n.t(
          'Agents can\'t change anything through the connection "{0}". To allow it, add the connection to the setting "{1}".',
          toDisplayText(connection.label),
          settings.agentWrites.key,
        ),
      );
    },
    waitsForAnswer: true,
    confirm: (confirmation) =>
      promptForAgent(confirmation, vscode.l10n.t('An agent requests this change.')),
    propose: (proposed) => toDecision(openProposal(sessions, proposals, id, proposed)),
  };
}

/**
 * Prompts the user before an agent exports data of a connection. Settings of VS Code that approve tools
 * automatically can't skip the dialog.
 */
export function confirmExport(
  { label }: Pick<Connection, 'label'>,
  confirmation: Confirmation,
): Promise<Decision> {
  const source = vscode.l10n.t(
    'An agent requests this export through the connection {0}.',
    showInvisible(quoteText(label)),
  );
  return promptForAgent(confirmation, source);
}

function promptForAgent(
  { question, detail, action }: Confirmation,
  source: string,
): Promise<Decision> {
  return toDecision(confirmChange({ question, detail: `${detail}\n\n${source}`, action }));
}

/** Resolves to `declined` if the person dismisses the prompt. Throws all other errors. */
async function toDecision(prompt: Promise<void>): Promise<Decision> {
  try {
    await prompt;
    return 'accepted';
  } catch (error) {
    if (isCanceled(error)) return 'declined';
    throw error;
  }
}

/**
 * Shows a proposed config in its editor as unsaved changes, which Undo reverts, and the differences
 * beside it. Throws `canceled` if the editor has unsaved changes that the user doesn't want to
 * replace.
 */
async function openProposal(
  sessions: SessionProvider,
  proposals: AgentProposals,
  connectionId: ConnectionId,
  { subject, text }: ProposedDocument,
): Promise<void> {
  const document = await showConfig({ connectionId, subject }, { sessions });
  const { uri } = document;
  const name = toDisplayText(getFileName(uri));
  if (document.isDirty) {
    await confirm(
      vscode.l10n.t('Replace your unsaved changes in "{0}"?', name),
      vscode.l10n.t(
        'An agent proposes another version of this config. Use Undo to restore your changes.',
      ),
      vscode.l10n.t('Replace'),
    );
  }
  // Before the edit, because Auto Save can start with it.
  const isMarked = proposals.has(uri);
  await proposals.add(uri);
  try {
    await replaceText(document, text);
  } catch (error) {
    // The mark would keep Auto Save from saving the changes of the user.
    if (!isMarked) await proposals.remove(uri);
    throw error;
  }
  const title = vscode.l10n.t('{0} (Saved ↔ Proposed by an Agent)', name);
  await vscode.commands.executeCommand('vscode.diff', revisionUri(uri, 'current'), uri, title, {
    viewColumn: vscode.ViewColumn.Beside,
    preview: false,
    preserveFocus: true,
  });
}
