import * as vscode from 'vscode';
import type { ContextEvent, ContextKey, ContextKeys } from '../../../manifest/contextKeys';

/** Sets a key for `when` clauses. */
export function setContextKey<K extends ContextKey>(key: K, value: ContextKeys[K]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}

/**
 * Completes the walkthrough steps that wait for an event. Resets the key immediately. VS Code never
 * completes a step whose key was already true when the walkthrough was opened.
 */
export function completeSteps(event: ContextEvent): void {
  setContextKey(event, true);
  setContextKey(event, false);
}
