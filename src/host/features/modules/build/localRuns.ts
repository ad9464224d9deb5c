import { isJsonObject } from '../../../../core/model/isJsonObject';
import { isAbsolute } from 'node:path';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import * as vscode from 'vscode';
import { Disposable, DisposableSet } from '../../../../base/disposable';
import { canceled, FleetError } from '../../../../core/api/errors';
import { toDisplayText, withoutLinks } from '../../../../core/model/displayText';
import type { ManifestModel } from '../../../../core/modules/manifest/moduleManifest';
import type { RunMethod, RunProblem } from '../../../../core/modules/run/runMessages';
import type { BulkDocuments } from '../../../platform/documents/bulkDocuments';
import {
  getModuleFolder,
  type ManifestFile,
  readManifestFile,
  resolveManifest,
} from '../../../platform/modules/moduleManifests';
import { trackProgress } from '../../../platform/commands/progress';
import { confirm, inputError, pickOne, promptForText } from '../../../platform/prompts/prompts';
import { escapeIcons, toQuickPickText } from '../../../platform/text/displayText';
import { requireTrust } from '../../../platform/permissions/requireTrust';
import { showStatusMessage } from '../../../platform/commands/statusMessage';
import { buildForThisComputer, type BuildTools, formatManifestName } from './buildModule';
import { AttributesFile } from './attributesFile';
import { isBuildOld } from './isBuildOld';
import { type OutputTarget, RunError, RunOutput, RunProcess } from './runProcess';

/** Maximum length of strings, such as encoded images; longer strings are truncated. */
const MAX_TEXT_LENGTH = 1_000;

export interface LocalRunTools extends BuildTools {
  /** Absolute path of the program that runs a module, `dist/moduleRun.js`. */
  readonly runProgram: string;
  /** Absolute path of the folder for attributes. */
  readonly attributesFolder: string;
  readonly presentError: (error: unknown) => void;
  readonly documents: Pick<BulkDocuments, 'add' | 'remove'>;
  readonly createChannel: () => OutputTarget;
}

/** Running module and its state. */
interface ActiveRun {
  readonly file: ManifestFile;
  readonly model: ManifestModel;
  readonly process: RunProcess;
  readonly attributes: AttributesFile;
  readonly methods: readonly RunMethod[];
  /** Last edited requests by method. */
  readonly requests: Map<string, string>;
  readonly owned: DisposableSet;
  isConfigured: boolean;
}

type MenuItem = vscode.QuickPickItem & { readonly run: () => Promise<void> | void };

/**
 * Runs a module from the workspace on this computer and calls its methods. Runs one module at a
 * time.
 */
export class LocalRuns extends Disposable {
  private readonly output: RunOutput;
  private answer: vscode.Uri | undefined;
  private active: ActiveRun | undefined;
  private isStarting = false;

  constructor(private readonly tools: LocalRunTools) {
    super();
    this.output = this.register(new RunOutput(tools.createChannel()));
  }

  /**
   * Starts a module and shows its methods. If the module is already running, only shows the
   * methods.
   * @throws FleetError if the module can't be built or started; `canceled` if the user dismisses
   *   the prompt
   */
  async run(target: object | undefined): Promise<void> {
    requireTrust(
      vscode.l10n.t(
        'A local run starts programs from the workspace. This workspace is not trusted, so nothing was run. Trust it first if you know who wrote it.',
      ),
      this.tools.isTrusted(),
    );
    if (this.active && target === undefined) return this.showMenu(this.active);
    const file = await resolveManifest(target, vscode.l10n.t('Run Module Locally'));
    if (this.active?.file.uri.toString() === file.uri.toString()) return this.showMenu(this.active);
    if (this.active) await this.replaceRun(this.active, file);
    await this.start(file, await pickModel(file));
  }

  private async replaceRun(running: ActiveRun, next: ManifestFile): Promise<void> {
    await confirm(
      vscode.l10n.t(
        'Stop {0} and run {1}?',
        formatManifestName(running.file),
        formatManifestName(next),
      ),
      vscode.l10n.t('Only one module can run locally at a time.'),
      vscode.l10n.t('Stop and Run'),
    );
    await this.stop(running);
  }

  private async start(file: ManifestFile, model: ManifestModel): Promise<void> {
    requireLocal(file);
    if (this.isStarting) throw canceled();
    this.isStarting = true;
    let run: ActiveRun | undefined;
    try {
      if (await isBuildOld(file)) await buildForThisComputer(this.tools, file);
      const launched = await this.launch(file, model);
      if (await this.configure(launched)) run = launched;
    } finally {
      this.isStarting = false;
    }
    if (run) await this.showMenu(run);
  }

  private async launch(file: ManifestFile, model: ManifestModel): Promise<ActiveRun> {
    const name = formatManifestName(file);
    const owned = this.register(new DisposableSet());
    const exits: RunProblem[] = [];
    const process = owned.add(
      new RunProcess(this.tools.runProgram, {
        log: (lines, dropped) => this.output.log(lines, dropped),
        exited: (problem) => {
          exits.push(problem);
          void this.end(problem);
        },
      }),
    );
    this.output.appendLine(vscode.l10n.t('Starting {0}…', name));
    try {
      const { moduleId, entrypoint } = file.manifest;
      const folder = getModuleFolder(file.uri).fsPath;
      const { api, model: triplet } = model;
      const target = { folder, entrypoint, moduleId, api, model: triplet };
      const { methods } = await trackProgress(vscode.l10n.t('Starting {0}…', name), (signal) =>
        process.start(target, signal),
      );
      if (this.isDisposed) throw canceled();
      // The module exited while the progress notification was closing, before it became the active
      // run.
      for (const problem of exits) throw new RunError(problem);
      const attributes = new AttributesFile(this.tools.attributesFolder, file.uri, triplet);
      const run = { file, model, process, attributes, methods, owned };
      this.active = { ...run, requests: new Map(), isConfigured: false };
    } catch (error) {
      this.release(owned);
      this.report(error);
      throw error;
    }
    this.showStatus(this.active);
    this.subscribeToAttributes(this.active);
    return this.active;
  }

  private showStatus({ file, model, owned }: ActiveRun): void {
    const item = owned.add(
      vscode.window.createStatusBarItem('fleetwright.localRun', vscode.StatusBarAlignment.Left),
    );
    item.name = vscode.l10n.t('Fleetwright Local Run');
    item.text = `$(debug-start) ${escapeIcons(toDisplayText(model.model))}`;
    item.tooltip = vscode.l10n.t('Call or stop the module that is running locally');
    item.command = {
      command: 'fleetwright.module.runLocally',
      title: vscode.l10n.t('Run Module Locally'),
      arguments: [file.uri],
    };
    item.show();
  }

  /** Applies attributes immediately when the user saves them. */
  private subscribeToAttributes(run: ActiveRun): void {
    run.owned.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.toString() !== run.attributes.uri.toString() || this.isStarting) return;
        this.applyAttributes(run).catch(this.tools.presentError);
      }),
    );
  }

  private async applyAttributes(run: ActiveRun): Promise<void> {
    if (!(await this.configure(run))) return;
    showStatusMessage(
      vscode.l10n.t('Applied the attributes of {0}', toDisplayText(run.model.model)),
    );
  }

  /**
   * Creates the resource with the saved attributes. If the module rejects them, offers to edit
   * them.
   * @returns true if the module has accepted the attributes
   */
  private async configure(run: ActiveRun): Promise<boolean> {
    try {
      const attributes = await run.attributes.read();
      const { dependencies } = await trackProgress(
        vscode.l10n.t('Configuring {0}…', toDisplayText(run.model.model)),
        (signal) => run.process.configure(attributes, signal),
      );
      run.isConfigured = true;
      this.output.appendLine(
        vscode.l10n.t('Configured {0} with the saved attributes', run.model.model),
      );
      if (dependencies.length > 0) {
        this.output.appendLine(
          vscode.l10n.t(
            'It depends on {0}. A local run has no other resources, so calls that use them fail.',
            dependencies.join(', '),
          ),
        );
      }
      return true;
    } catch (error) {
      this.report(error);
      if (!isAboutAttributes(error)) throw error;
      void this.offerAttributes(run, error);
      return false;
    }
  }

  private async offerAttributes(run: ActiveRun, { message }: FleetError): Promise<void> {
    const edit = vscode.l10n.t('Edit Attributes');
    const choice = await vscode.window.showErrorMessage(withoutLinks(message), edit);
    if (choice === edit) await run.attributes.open();
  }

  private async showMenu(run: ActiveRun): Promise<void> {
    const icon = (name: string) => ({ iconPath: new vscode.ThemeIcon(name) });
    const methods = run.isConfigured ? run.methods : [];
    const items: MenuItem[] = [
      ...methods.map((method) => ({
        label: toQuickPickText(method.name),
        ...icon('symbol-method'),
        ...(method.isStreaming && {
          description: vscode.l10n.t('returns the first responses from the stream'),
        }),
        run: () => this.call(run, method),
      })),
      {
        label: vscode.l10n.t('Edit Attributes'),
        description: vscode.l10n.t('applied on save'),
        ...icon('edit'),
        run: () => run.attributes.open(),
      },
      {
        label: vscode.l10n.t('View Output'),
        ...icon('output'),
        run: () => {
          this.output.show();
        },
      },
      {
        label: vscode.l10n.t('Restart Module'),
        description: vscode.l10n.t('rebuilds first if a source file has changed'),
        ...icon('debug-restart'),
        run: () => this.restart(run),
      },
      { label: vscode.l10n.t('Stop Module'), ...icon('debug-stop'), run: () => this.stop(run) },
    ];
    const choice = await pickOne(items, {
      title: vscode.l10n.t('Local Run of {0}', toDisplayText(run.model.model)),
      placeholder: run.isConfigured
        ? vscode.l10n.t('Select a method to call')
        : vscode.l10n.t('The module has not accepted its attributes yet'),
    });
    await choice.run();
  }

  private async call(run: ActiveRun, method: RunMethod): Promise<void> {
    const request = await promptForRequest(run, method);
    const text = JSON.stringify(request);
    this.output.appendLine(`> ${method.name} ${text}`);
    try {
      const answer = await trackProgress(vscode.l10n.t('Calling {0}…', method.name), (signal) =>
        run.process.call(method.name, request, signal),
      );
      await this.showResponse(method, answer);
    } catch (error) {
      this.report(error);
      this.output.show();
      throw error;
    }
  }

  /**
   * Shows a response in a read-only document, and also appends it to the output, in sequence with
   * the module's lines.
   */
  private async showResponse({ name }: RunMethod, answer: JsonValue): Promise<void> {
    const text = formatResponse(answer);
    this.output.appendLine(text);
    const { documents } = this.tools;
    if (this.answer) documents.remove(this.answer);
    this.answer = documents.add(`${text}\n`, `${name}.json`);
    await vscode.window.showTextDocument(this.answer, { preserveFocus: true });
  }

  private async restart(run: ActiveRun): Promise<void> {
    await this.stop(run);
    const file = await readManifestFile(run.file.uri);
    const { model } = run.model;
    const again = file.manifest.models.find((entry) => entry.model === model);
    await this.start(file, again ?? (await pickModel(file)));
  }

  private async stop(run: ActiveRun): Promise<void> {
    if (this.active === run) this.active = undefined;
    this.release(run.owned);
    await run.process.stop();
    this.output.appendLine(vscode.l10n.t('Stopped {0}', formatManifestName(run.file)));
  }

  /** Reports that the module exited on its own. */
  private async end(problem: RunProblem): Promise<void> {
    const run = this.active;
    if (!run) return;
    this.active = undefined;
    this.release(run.owned);
    // The command that starts the module reports the error itself.
    if (this.isStarting) return;
    const { message } = new RunError(problem);
    this.output.appendLine(message);
    const view = vscode.l10n.t('View Output');
    const text = withoutLinks(`${formatManifestName(run.file)}: ${message}`);
    if ((await vscode.window.showErrorMessage(text, view)) === view) this.output.show();
  }

  private report(error: unknown): void {
    if (error instanceof Error) this.output.appendLine(error.message);
  }
}

function requireLocal({ uri, manifest }: ManifestFile): void {
  const path = toDisplayText(vscode.workspace.asRelativePath(uri));
  if (uri.scheme !== 'file') {
    throw new FleetError(
      'unsupported',
      vscode.l10n.t("{0} is not on this computer, so its module can't run here.", path),
    );
  }
  if (manifest.entrypoint.trim() !== '' && !isAbsolute(manifest.entrypoint)) return;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      '{0} has no entrypoint. In "entrypoint", enter the path of the program that starts the module, for example "run.sh".',
      path,
    ),
  );
}

async function pickModel(file: ManifestFile): Promise<ManifestModel> {
  const { models } = file.manifest;
  const [first] = models;
  if (!first) {
    throw new FleetError(
      'invalid',
      vscode.l10n.t(
        '{0} lists no models. Add an entry to "models" in its manifest.',
        formatManifestName(file),
      ),
    );
  }
  if (models.length === 1) return first;
  const items = models.map((model) => ({
    label: toQuickPickText(model.model),
    description: toQuickPickText(model.api),
    model,
  }));
  const title = vscode.l10n.t('Run Module Locally');
  return (await pickOne(items, { title, placeholder: vscode.l10n.t('Select a model') })).model;
}

/** Prompts for a request, for methods whose requests contain more than the resource name. */
async function promptForRequest(
  run: ActiveRun,
  { name, template }: RunMethod,
): Promise<JsonObject> {
  if (Object.keys(template).length === 0) return {};
  const text = await promptForText({
    title: vscode.l10n.t('Call {0}', name),
    prompt: vscode.l10n.t('Request as a JSON object'),
    value: run.requests.get(name) ?? JSON.stringify(template),
    validate: (value) =>
      parseObject(value) ? undefined : inputError(vscode.l10n.t('Enter a JSON object.')),
  });
  run.requests.set(name, text);
  return parseObject(text) ?? {};
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isAboutAttributes(error: unknown): error is FleetError {
  if (error instanceof RunError) {
    const { kind } = error.problem;
    return kind === 'attributesRejected' || kind === 'resourceFailed';
  }
  return error instanceof FleetError && error.kind === 'invalid';
}

/** Formats a response as human-readable JSON. */
function formatResponse(answer: JsonValue): string {
  const cut = (_: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > MAX_TEXT_LENGTH
      ? vscode.l10n.t('{0}… ({1} characters)', value.slice(0, MAX_TEXT_LENGTH), value.length)
      : value;
  return JSON.stringify(answer, cut, 2);
}
