import * as vscode from 'vscode';

// Each function formats a whole phrase, because plural rules depend on the language.

export function formatLocationCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 location') : vscode.l10n.t('{0} locations', count);
}

export function formatMachineCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 machine with its parts, configs, and histories')
    : vscode.l10n.t('{0} machines with their parts, configs, and histories', count);
}

export function formatPartCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 part with its config and history')
    : vscode.l10n.t('{0} parts with their configs and histories', count);
}

export function formatFragmentCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 fragment') : vscode.l10n.t('{0} fragments', count);
}
