import { parseArgs, type ParseArgsConfig } from 'node:util';
import { usageError } from './commandError';

/**
 * Reads arguments as Node does.
 * @throws CommandError (usage) that names the argument at fault.
 */
export function parseOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's sentence goes on with advice about arguments that begin with a dash.
    const [sentence = ''] = (error as Error).message.split('. ', 1);
    throw usageError(sentence.charAt(0).toLowerCase() + sentence.slice(1));
  }
}
