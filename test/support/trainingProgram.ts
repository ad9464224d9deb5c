import { bundledProgram } from './bundledProgram';

let program: Promise<string> | undefined;

/** The program of training processes, bundled from the sources once for each test run. */
export function trainingProgram(): Promise<string> {
  program ??= bundledProgram('trainingProcess');
  return program;
}
