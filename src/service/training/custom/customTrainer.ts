import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { ArchiveRejectedError, unpackArchive } from '../../../archives/unpackArchive';
import {
  type CustomTraining,
  TrainingError,
  type TrainingLine,
  type TrainingOptions,
  type TrainingRunner,
} from '../trainingRunner';
import {
  findPython,
  scriptEnvironment,
  type ScriptFolders,
  toEnvironmentMarker,
} from './scriptEnvironment';
import {
  folderFacts,
  type ScriptEnd,
  type ScriptLimits,
  ScriptRun,
  usualLimits,
} from './scriptRun';
import { endLeftScript, scriptRoot } from './scriptProcesses';
import { isArgumentName, isServiceArgument } from '../../../core/model/trainingJob';
import { jsonLine } from '../../../base/jsonLine';
import { StringDecoder } from 'node:string_decoder';

/**
 * Maximum length of a line in characters, which corresponds to at most 16 KB in UTF-8. Longer lines
 * are split.
 */
const MAX_LINE_LENGTH = 4_000;
/**
 * Interval in milliseconds at which a line that is overwritten repeatedly, such as a progress bar,
 * is reported.
 */
const OVERWRITTEN_EVERY_MS = 5_000;
// Matches terminal escape sequences, for example for colors, and other invisible characters except
// tabs.
const ESCAPE = String.raw`\u001B`;
const BELL = String.raw`\u0007`;
const TERMINAL = new RegExp(
  String.raw`${ESCAPE}(?:\[[0-?]*[ -/]*[@-~]|\][^${BELL}${ESCAPE}]*${BELL}?|[@-Z\\^_-])`,
  'g',
);
const UNSEEN = /[^\P{Cc}\t]/gu;

/**
 * Yields the lines of a program's output as a terminal would display them, except for empty lines.
 * For a line that is overwritten with carriage returns, yields the intermediate state periodically
 * and then the final state.
 * @param now monotonic time in milliseconds.
 */
export async function* textLines(
  bytes: AsyncIterable<Uint8Array>,
  now: () => number = () => performance.now(),
): AsyncGenerator<string> {
  const lines = new Lines(now);
  const decoder = new StringDecoder('utf8');
  for await (const chunk of bytes) yield* lines.add(decoder.write(Buffer.from(chunk)));
  yield* lines.add(`${decoder.end()}\n`);
}

class Lines {
  private line = '';
  /** Text that ended with a carriage return and has not been reported yet. */
  private overwritten = '';
  private returned = false;
  private reportedAt = -Infinity;

  constructor(private readonly now: () => number) {}

  *add(text: string): Generator<string> {
    for (const [, written = '', end = ''] of text.matchAll(/([^\r\n]*)([\r\n]?)/g)) {
      if (this.returned && (written !== '' || end === '\r')) yield* this.startOver();
      this.line += written;
      while (this.line.length > MAX_LINE_LENGTH) yield* this.cut();
      if (end === '\r') this.returned = true;
      if (end === '\n') yield* this.endLine();
    }
  }

  private *startOver(): Generator<string> {
    this.returned = false;
    if (this.line === '') return;
    this.overwritten = this.line;
    this.line = '';
    const at = this.now();
    if (at - this.reportedAt < OVERWRITTEN_EVERY_MS) return;
    this.reportedAt = at;
    yield* shown(this.overwritten);
    this.overwritten = '';
  }

  private *endLine(): Generator<string> {
    yield* shown(this.line === '' ? this.overwritten : this.line);
    [this.line, this.overwritten, this.returned] = ['', '', false];
  }

  private *cut(): Generator<string> {
    yield* shown(this.line.slice(0, MAX_LINE_LENGTH));
    this.line = this.line.slice(MAX_LINE_LENGTH);
  }
}

function* shown(line: string): Generator<string> {
  const text = line.replace(TERMINAL, '').replace(UNSEEN, '').trimEnd();
  if (text !== '') yield text;
}

/**
 * Limits on unpacking. They are high enough for a script, which consists of a few text files.
 * Larger archives contain models or data.
 */
const UNPACK_LIMITS = { entries: 20_000, bytes: 1024 ** 3 };

export interface CustomTrainerOptions {
  /** The service's environment variables. PATH is the most important one. */
  readonly environment: NodeJS.ProcessEnv;
  /** Limits that override the defaults for scripts. */
  readonly limits?: Partial<ScriptLimits> | undefined;
}

/**
 * Trains models by running a training script from the registry with the Python installation on this
 * computer. A script can do anything that the service has permission to do, so the service uses
 * this trainer only if its operator enables it.
 */
export class CustomTrainer implements TrainingRunner<CustomTraining> {
  private readonly limits: ScriptLimits;

  constructor(private readonly options: CustomTrainerOptions) {
    this.limits = { ...usualLimits(), ...options.limits };
  }

  async run(training: CustomTraining, { signal, log }: TrainingOptions): Promise<void> {
    const prepared = await this.prepare(training, signal);
    const python = await findPython(this.options.environment, signal);
    const message = `Running ${TRAINING_MODULE} with Python ${python.version}`;
    await log({ level: 'info', message });
    const run = new ScriptRun({
      program: python.program,
      arguments: ['-m', TRAINING_MODULE, ...prepared.arguments],
      workFolder: prepared.work,
      folders: [scriptRoot(training.folder).root, training.outputFolder],
      environment: scriptEnvironment(this.options.environment, prepared.folders, python.userBase),
      mark: toEnvironmentMarker(prepared.folders),
      limits: this.limits,
    });
    const outputs = { stdout: new ScriptOutput(), stderr: new ScriptOutput() };
    const end = await run.finished(signal, async (stream, bytes) => {
      for await (const line of textLines(bytes)) await log(outputs[stream].read(line));
    });
    if (end.code !== 0) {
      const reason = outputs.stderr.reason ?? outputs.stdout.reason;
      throw new TrainingError(failureReason(end, reason));
    }
    await requireModel(training.outputFolder, this.limits.modelFiles);
  }

  /** Creates all files that the script needs, in folders that nothing else uses. */
  private async prepare(training: CustomTraining, signal: AbortSignal): Promise<PreparedScript> {
    const { root, temporary } = scriptRoot(training.folder);
    const home = join(root, 'home');
    const [work, script] = [join(root, 'work'), join(root, 'script')];
    // If an earlier service was killed, its run of the same job might still be using these folders.
    await endLeftScript(training.folder);
    await rm(root, { recursive: true, force: true });
    for (const folder of [home, temporary, work, script]) await mkdir(folder, { recursive: true });
    const datasetFile = join(root, 'dataset.jsonl');
    const scriptArgs = scriptArguments(
      { datasetFile, outputFolder: training.outputFolder },
      training.arguments,
    );
    await unpackScript(training.archive, script, signal);
    const folders = { package: await findPackage(script), home, temporary };
    await writeScriptDataset(training.datasetFile, datasetFile, signal);
    return { arguments: scriptArgs, work, folders };
  }
}

interface PreparedScript {
  readonly arguments: readonly string[];
  /** The script's working directory, initially empty. */
  readonly work: string;
  readonly folders: ScriptFolders;
}

async function unpackScript(archive: string, folder: string, signal: AbortSignal): Promise<void> {
  try {
    await unpackArchive(archive, folder, { limits: UNPACK_LIMITS, signal });
  } catch (error) {
    if (error instanceof ArchiveRejectedError) {
      const message = `The archive of the training script can't be used. ${error.message} Upload a version that is a plain .tar.gz archive.`;
      throw new TrainingError(message, { cause: error });
    }
    throw error;
  }
}

async function requireModel(outputFolder: string, maxFiles: number): Promise<void> {
  const { files } = await folderFacts(outputFolder);
  if (files > maxFiles) {
    throw new TrainingError(
      `The training script wrote a model with ${String(files)} files. The maximum is ${String(maxFiles)}. Change the script to write only the files that the model needs, or to pack several files into one.`,
    );
  }
  if (files > 0) return;
  throw new TrainingError(
    "The training script finished without an error but didn't write a model. It must write its files to the folder in --model_output_directory.",
  );
}

/**
 * Returns a script's command-line arguments in the public service's format: `--name=value`.
 * @throws TrainingError that names the invalid argument.
 */
function scriptArguments(
  files: { readonly datasetFile: string; readonly outputFolder: string },
  submitted: Readonly<Record<string, string>>,
): string[] {
  const wrong = Object.keys(submitted).find(
    (name) => isServiceArgument(name) || !isArgumentName(name),
  );
  if (wrong !== undefined) {
    throw new TrainingError(
      isServiceArgument(wrong)
        ? `The service sets the argument ${wrong}. Submit the job without it.`
        : `The argument ${JSON.stringify(wrong)} is not a valid argument name. Use letters, digits, _ and -, and begin with a letter or _.`,
    );
  }
  const nul = Object.entries(submitted).find(([, value]) => value.includes('\0'));
  if (nul) {
    throw new TrainingError(`The argument ${nul[0]} contains a null character. Remove it.`);
  }
  return [
    `--dataset_file=${files.datasetFile}`,
    `--model_output_directory=${files.outputFolder}`,
    ...Object.entries(submitted).map(([name, value]) => `--${name}=${value}`),
  ];
}

const MISSING_PACKAGE = /^ModuleNotFoundError: No module named '([\w.]+)'/;
const MAX_REASON_LENGTH = 1_000;

/**
 * Returns an explanation for the submitter of why a script didn't produce a model.
 * @param output last relevant output, such as the exception that terminated the script.
 */
export function failureReason({ code, signal }: ScriptEnd, output: string | undefined): string {
  const how =
    signal === null
      ? `The training script exited with code ${String(code)}`
      : `The training script was terminated by ${signal}`;
  if (output === undefined) return `${how} without an error message.${adviceFor(signal, '')}`;
  const reason =
    output.length > MAX_REASON_LENGTH ? `${output.slice(0, MAX_REASON_LENGTH)}…` : output;
  const end = /[.!?…]$/.test(reason) ? '' : '.';
  return `${how}: ${reason}${end}${adviceFor(signal, output)} See its log for details.`;
}

function adviceFor(signal: ScriptEnd['signal'], output: string): string {
  const missing = MISSING_PACKAGE.exec(output)?.[1]?.split('.')[0];
  if (missing !== undefined) {
    return ` Training scripts use the Python packages of the computer that runs the service. Install ${missing} there, or change the script to work without it.`;
  }
  if (signal === 'SIGKILL' || output.startsWith('MemoryError')) {
    return ' The computer might have run out of memory. Change the script to read fewer or smaller images at a time.';
  }
  return '';
}

/**
 * Writes the dataset file for a script, which is a copy of the service's file with absolute image
 * paths. Scripts written for the public service open these paths unchanged, but this script has a
 * different working directory.
 * @throws any file system error; the signal's reason if the signal is aborted.
 */
async function writeScriptDataset(
  datasetFile: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const folder = dirname(datasetFile);
  async function* lines(): AsyncGenerator<string> {
    const input = createReadStream(datasetFile, 'utf8');
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line.trim() !== '') yield `${withWholePath(line, folder)}\n`;
    }
  }
  await pipeline(lines, createWriteStream(path), { signal });
}

function withWholePath(line: string, folder: string): string {
  const item = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const { image_path: path } = item;
  return typeof path === 'string' ? jsonLine({ ...item, image_path: resolve(folder, path) }) : line;
}

/** Python module to run. */
const TRAINING_MODULE = 'model.training';
const FILE = join('model', 'training.py');

/**
 * Finds the package in an unpacked archive, either at the top level or in a folder, as in archives
 * created with `python3 -m build` or `setup.py sdist`.
 * @returns the folder in which Python finds the module.
 * @throws TrainingError
 */
async function findPackage(folder: string): Promise<string> {
  if (await isFile(join(folder, FILE))) return folder;
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isDirectory())) {
    if (await isFile(join(folder, entry.name, FILE))) found.push(entry.name);
  }
  const [only, ...others] = found.sort();
  if (only === undefined) {
    throw new TrainingError(
      'The training script has no file model/training.py, neither at the top of its archive nor in a top-level folder. ' +
        'Upload a version that has the file, which runs as python3 -m model.training.',
    );
  }
  if (others.length > 0) {
    throw new TrainingError(
      `The training script has the file model/training.py in several folders: ${found.join(', ')}. Upload a version with one.`,
    );
  }
  return join(folder, only);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

/** Number of characters at the start of a line that are searched for the log level. */
const HEAD = 80;
const ERRORS = /: error: |(?:^|[\s[|:(])(?:ERROR|CRITICAL|FATAL)(?=[\s\]|:)]|$)|^E\d{4} /;
const WARNINGS = /(?:^|[\s[|:(])WARN(?:ING)?(?=[\s\]|:)]|$)|\b[A-Z]\w*Warning: |^W\d{4} /;
const TRACEBACK = 'Traceback (most recent call last):';

/** Parses the lines that a script writes to one of its streams. */
export class ScriptOutput {
  private inTraceback = false;
  private lastException: string | undefined;
  private last: string | undefined;

  /**
   * Detects a line's log level in formats that Python programs commonly use, based on keywords and
   * tracebacks.
   */
  read(message: string): TrainingLine {
    this.last = message;
    return { level: this.getLevel(message), message };
  }

  /** Reason for the script's failure, if this stream contains it. */
  get reason(): string | undefined {
    return this.lastException ?? this.last;
  }

  private getLevel(message: string): TrainingLine['level'] {
    if (message.startsWith(TRACEBACK)) {
      this.inTraceback = true;
      return 'error';
    }
    if (this.inTraceback) {
      this.inTraceback = /^\s/.test(message);
      if (!this.inTraceback) this.lastException = message;
      return 'error';
    }
    const head = message.slice(0, HEAD);
    if (ERRORS.test(head)) return 'error';
    return WARNINGS.test(head) ? 'warn' : 'info';
  }
}
