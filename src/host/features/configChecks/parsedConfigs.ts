import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { LongWork } from '../../../base/longWork';
import { CHECK_SLICE_MS } from '../../../core/configChecks/checkConfig';
import type { ConfigNode } from '../../../core/configChecks/configDiagnostic';
import { type ResourceNames, resourceNamesInSteps } from '../../../core/configChecks/resourceNames';
import type { JsonNode } from '../../../core/documents/jsonTree';
import { parseEditedConfigInSteps, type ParsedConfig } from '../../../core/documents/resolvedText';

/** Parsed version of a document. */
export interface ParsedDocument {
  readonly version: number;
  readonly text: string;
  /** Root of the syntax tree; undefined if the text contains no value or nests too deep. */
  readonly tree: JsonNode | undefined;
  /** Root of the syntax tree, as the checks read it. */
  readonly root: ConfigNode | undefined;
  /** Parsed config; undefined if the text isn't strict JSON. */
  readonly config: ParsedConfig | undefined;
  /** Returns the names of resources in the text, which are found once. */
  findNames(): Promise<ResourceNames>;
}

type ParseConfig = typeof parseEditedConfigInSteps;

export interface ParsedConfigsOptions {
  readonly work?: LongWork;
  readonly parse?: ParseConfig;
}

interface Entry {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly run: AbortController;
  readonly parsed: Promise<ParsedDocument | undefined>;
}

/**
 * Parsed texts of the open configs. Each version of a document is parsed once, when it is first
 * needed, in slices that leave time for other work. A change to the document cancels parsing, and
 * closing the document frees the result.
 */
export class ParsedConfigs extends Disposable {
  private readonly entries = new Map<string, Entry>();

  private readonly work: LongWork;
  private readonly parse: ParseConfig;

  constructor({ work, parse = parseEditedConfigInSteps }: ParsedConfigsOptions = {}) {
    super();
    this.work = work ?? new LongWork({ sliceMs: CHECK_SLICE_MS });
    this.parse = parse;
    const { workspace } = vscode;
    const find = ({ uri }: vscode.TextDocument): Entry | undefined =>
      this.entries.get(uri.toString());
    this.register(
      workspace.onDidChangeTextDocument(({ document }) => {
        const entry = find(document);
        if (entry && entry.version !== document.version) this.remove(entry);
      }),
    );
    this.register(
      workspace.onDidCloseTextDocument((document) => {
        const entry = find(document);
        if (entry) this.remove(entry);
      }),
    );
    this.register({ dispose: () => [...this.entries.values()].forEach((one) => this.remove(one)) });
  }

  /**
   * Returns the parsed text of a document's current version; undefined if the document changes or
   * closes before it is parsed.
   */
  get(document: vscode.TextDocument): Promise<ParsedDocument | undefined> {
    const key = document.uri.toString();
    const known = this.entries.get(key);
    if (known?.document === document && known.version === document.version) return known.parsed;
    if (known) this.remove(known);
    const run = new AbortController();
    const { version } = document;
    const parsed = this.read(document.getText(), version, run.signal);
    const entry = { document, version, run, parsed };
    if (!this.isDisposed) this.entries.set(key, entry);
    return parsed;
  }

  /**
   * Runs the steps of work on a config in slices, one slice at a time for all configs.
   * @throws the signal's reason when it aborts
   */
  run<T>(steps: Generator<unknown, T, void>, signal?: AbortSignal): Promise<T> {
    return this.work.run(steps, signal);
  }

  private async read(
    text: string,
    version: number,
    signal: AbortSignal,
  ): Promise<ParsedDocument | undefined> {
    try {
      const { tree, config } = await this.run(this.parse(text), signal);
      const root = tree && { node: tree, path: [] };
      let names: Promise<ResourceNames> | undefined;
      const findNames = (): Promise<ResourceNames> => {
        names ??= root
          ? this.run(resourceNamesInSteps(root))
          : Promise.resolve({ definitions: [], references: [] });
        return names;
      };
      return { version, text, tree, root, config, findNames };
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  private remove(entry: Entry): void {
    entry.run.abort();
    const key = entry.document.uri.toString();
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }
}
