import { bundledProgram } from './bundledProgram';

let program: Promise<string> | undefined;

/** The program of query processes, bundled from the sources once for each test run. */
export function queryProgram(): Promise<string> {
  program ??= bundledProgram('queryProcess');
  return program;
}
