import * as vscode from 'vscode';
import type { ProposalStrings } from '../../../../shared/data/proposals';

/** Returns the strings of the proposal review. The webview fills in the placeholders. */
export function proposalStrings(): ProposalStrings {
  return {
    heading: vscode.l10n.t('Labels proposed by {0}'),
    tools: vscode.l10n.t('Review'),
    threshold: vscode.l10n.t('Confidence'),
    thresholdHint: vscode.l10n.t('Show proposals with at least this confidence'),
    acceptAll: vscode.l10n.t('Accept All'),
    acceptAllHint: vscode.l10n.t('Accept all visible proposals that are not rejected'),
    save: vscode.l10n.t('Save Accepted'),
    saveCount: vscode.l10n.t('Save {0} Accepted'),
    saving: vscode.l10n.t('Saving…'),
    close: vscode.l10n.t('Close Review'),
    counts: vscode.l10n.t('Proposals: {0}, accepted: {1}, rejected: {2}'),
    keys: vscode.l10n.t(
      'Press A to accept or R to reject a proposal. Use the arrow keys to move between proposals.',
    ),
    list: vscode.l10n.t('Proposed labels'),
    none: vscode.l10n.t('No proposals have at least this confidence. Lower the value to see more.'),
    accept: vscode.l10n.t('Accept'),
    reject: vscode.l10n.t('Reject'),
    acceptLabel: vscode.l10n.t('Accept {0} on {1}'),
    rejectLabel: vscode.l10n.t('Reject {0} on {1}'),
    resume: vscode.l10n.t('Resume Review'),
    resumeHint: vscode.l10n.t('Reopen the review with all decisions'),
    discard: vscode.l10n.t('Discard'),
    discardHint: vscode.l10n.t('Discard the unsaved labels'),
  };
}
