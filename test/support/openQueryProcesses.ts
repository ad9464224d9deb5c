import { QueryProcesses } from '../../src/service/query/queryProcesses';
import { bundledProgram } from './bundledProgram';
import { silentLogger } from './silentLogger';

/** Creates query processes that run the program from the sources, and log nothing. */
export async function openQueryProcesses(): Promise<QueryProcesses> {
  return new QueryProcesses({
    program: await bundledProgram('queryProcess'),
    logger: silentLogger,
  });
}
