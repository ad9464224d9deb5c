import type * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';

type Values = Readonly<Record<string, string>>;

/**
 * Prompts the user for the values of parameters. The user can change known values. Throws
 * `canceled`.
 */
export type PromptForParameters = (
  of: OrganizationTarget,
  names: readonly string[],
  known: Values,
) => Promise<Values>;

/**
 * Parameter values of a notebook's queries, by name. The user enters each value once, and closing
 * the notebook clears the values. They are never written to the notebook file, which other people
 * can read.
 */
export class CellParameters extends Disposable {
  private readonly known = new WeakMap<vscode.NotebookDocument, Values>();
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly prompt: PromptForParameters) {
    super();
  }

  valuesIn(notebook: vscode.NotebookDocument): Values {
    return this.known.get(notebook) ?? {};
  }

  /**
   * Returns the values of the given parameters. Prompts for values that aren't known yet. Throws
   * `canceled`.
   */
  async resolveValues(
    notebook: vscode.NotebookDocument,
    names: readonly string[],
    target: OrganizationTarget,
  ): Promise<Values> {
    const missing = names.filter((name) => !Object.hasOwn(this.valuesIn(notebook), name));
    if (missing.length > 0) await this.change(notebook, missing, target);
    return this.valuesIn(notebook);
  }

  /** Prompts for all values, including known ones. Throws `canceled`. */
  async change(
    notebook: vscode.NotebookDocument,
    names: readonly string[],
    target: OrganizationTarget,
  ): Promise<void> {
    const answers = await this.prompt(target, names, this.valuesIn(notebook));
    this.known.set(notebook, { ...this.valuesIn(notebook), ...answers });
    this.changed.fire();
  }
}
