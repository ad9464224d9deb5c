import type * as vscode from 'vscode';
import type { KeyValue } from '../../../core/ports';

const KEY = 'agents.proposals';

/**
 * Documents with unsaved changes that an agent has proposed. Auto Save doesn't save them, because a
 * person must review them first. The list survives window reloads, as the changes do.
 */
export class AgentProposals {
  /** Documents whose proposed changes were undone or reverted, and can come back. */
  private readonly undone = new Set<string>();

  constructor(private readonly storage: KeyValue) {}

  has(uri: vscode.Uri): boolean {
    return this.read().includes(uri.toString());
  }

  async add(uri: vscode.Uri): Promise<void> {
    if (!this.has(uri)) await this.storage.update(KEY, [...this.read(), uri.toString()]);
  }

  /** Removes a document whose proposed changes were undone or reverted. */
  async undo(uri: vscode.Uri): Promise<void> {
    if (this.has(uri)) this.undone.add(uri.toString());
    await this.remove(uri);
  }

  /** Adds a document again whose changes Undo or Redo restored, which can be the proposed ones. */
  async restore(uri: vscode.Uri): Promise<void> {
    if (this.undone.delete(uri.toString())) await this.add(uri);
  }

  async remove(uri: vscode.Uri): Promise<void> {
    if (!this.has(uri)) return;
    const others = this.read().filter((one) => one !== uri.toString());
    await this.storage.update(KEY, others);
  }

  private read(): readonly string[] {
    const stored = this.storage.get(KEY);
    return Array.isArray(stored) ? stored.filter((uri) => typeof uri === 'string') : [];
  }
}
