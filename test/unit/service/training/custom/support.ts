import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomTrainer } from '../../../../../src/service/training/custom/customTrainer';
import type { ScriptLimits } from '../../../../../src/service/training/custom/scriptRun';
import {
  type CustomTraining,
  TrainingError,
  type TrainingLine,
} from '../../../../../src/service/training/trainingRunner';
import { type RawEntry, rawArchive, type TestFolder } from '../../../../support/archives';
import { waitUntil } from '../../../../support/waitUntil';

/** Start of every test script: parses the arguments and finds the images. */
export const HEAD = `
import argparse, json, os, signal, subprocess, sys, time
parser = argparse.ArgumentParser()
parser.add_argument('--dataset_file')
parser.add_argument('--model_output_directory')
args, others = parser.parse_known_args()
def write(name, text):
    with open(os.path.join(args.model_output_directory, name), 'w') as file:
        file.write(text)
`;

/** A training job with a script, in a folder that is deleted after the test. */
export class Trial {
  readonly lines: TrainingLine[] = [];
  readonly training: CustomTraining;
  private readonly stop = new AbortController();

  constructor(
    private readonly folder: TestFolder,
    script: string | readonly RawEntry[],
    scriptArguments: Readonly<Record<string, string>> = {},
  ) {
    const entries =
      typeof script === 'string' ? [{ path: 'model/training.py', content: HEAD + script }] : script;
    mkdirSync(join(folder.path, 'output'));
    folder.file('data/one.png', 'an image');
    this.training = {
      kind: 'custom',
      folder: folder.path,
      datasetFile: folder.file('dataset.jsonl', '{"image_path":"data/one.png","n":1}\n'),
      outputFolder: join(folder.path, 'output'),
      archive: folder.file('script.tar.gz', rawArchive(entries)),
      arguments: scriptArguments,
    };
  }

  run(limits: Partial<ScriptLimits> = {}, environment = process.env): Promise<void> {
    const trainer = new CustomTrainer({ environment, limits: { checkIntervalMs: 50, ...limits } });
    return trainer.run(this.training, {
      signal: this.stop.signal,
      log: async (line) => {
        this.lines.push(line);
        await Promise.resolve();
      },
    });
  }

  cancel(): void {
    this.stop.abort(new Error('canceled'));
  }

  get messages(): string[] {
    return this.lines.map(({ message }) => message);
  }

  async waitForMessage(message: string): Promise<void> {
    await waitUntil(() => this.messages.includes(message), {
      describeState: () => `the script has printed ${message}, but: ${this.messages.join(', ')}`,
    });
  }

  output(name: string): string {
    return readFileSync(join(this.folder.path, 'output', name), 'utf8');
  }
}

/** Returns a check that a training job failed with a message for the user who submitted it. */
export function failedWith(pattern: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof TrainingError, String(error));
    assert.match(error.message, pattern);
    return true;
  };
}
