import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveRejectedError, unpackArchive } from '../../../archives/unpackArchive';
import {
  type CustomTraining,
  TrainingFailure,
  type TrainingOptions,
  type TrainingRunner,
} from '../trainingRunner';
import { failureReason } from './failureReason';
import { findPackage, TRAINING_MODULE } from './findPackage';
import { findPython } from './findPython';
import { folderFacts } from './folderFacts';
import { endLeftScript, scriptRoot } from './leftScripts';
import { scriptArguments } from './scriptArguments';
import { writeScriptDataset } from './scriptDataset';
import { toEnvironmentMarker, scriptEnvironment, type ScriptFolders } from './scriptEnvironment';
import { type ScriptLimits, usualLimits } from './scriptLimits';
import { ScriptOutput } from './scriptOutput';
import { ScriptRun } from './scriptRun';
import { textLines } from './textLines';

/**
 * Limits on unpacking. They are high enough for a script, which consists of a few text files.
 * Larger archives contain models or data.
 */
const UNPACK_LIMITS = { entries: 20_000, bytes: 1024 ** 3 };

export interface CustomTrainerOptions {
  /** Environment variables of the service. PATH is the most important one. */
  readonly environment: NodeJS.ProcessEnv;
  /** Limits that override the defaults for scripts. */
  readonly limits?: Partial<ScriptLimits> | undefined;
}

/**
 * Trains models by running a training script from the registry with the Python installation on this
 * computer. A script can do anything that the service has permission to do, so the service has this
 * trainer only if its operator enables it.
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
      throw new TrainingFailure(failureReason(end, reason));
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
    const given = scriptArguments(
      { datasetFile, outputFolder: training.outputFolder },
      training.arguments,
    );
    await unpackScript(training.archive, script, signal);
    const folders = { package: await findPackage(script), home, temporary };
    await writeScriptDataset(training.datasetFile, datasetFile, signal);
    return { arguments: given, work, folders };
  }
}

interface PreparedScript {
  readonly arguments: readonly string[];
  /** Working directory of the script, initially empty. */
  readonly work: string;
  readonly folders: ScriptFolders;
}

async function unpackScript(archive: string, folder: string, signal: AbortSignal): Promise<void> {
  try {
    await unpackArchive(archive, folder, { limits: UNPACK_LIMITS, signal });
  } catch (error) {
    if (error instanceof ArchiveRejectedError) {
      const message = `The archive of the training script can't be used. ${error.message} Upload a version that is a plain .tar.gz archive.`;
      throw new TrainingFailure(message, { cause: error });
    }
    throw error;
  }
}

async function requireModel(outputFolder: string, mostFiles: number): Promise<void> {
  const { files } = await folderFacts(outputFolder);
  if (files > mostFiles) {
    throw new TrainingFailure(
      `The training script wrote a model with ${String(files)} files. The maximum is ${String(mostFiles)}. Change the script to write only the files that the model needs, or to pack several files into one.`,
    );
  }
  if (files > 0) return;
  throw new TrainingFailure(
    "The training script finished without an error but didn't write a model. It must write its files to the folder in --model_output_directory.",
  );
}
