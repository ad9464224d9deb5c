import { parseArgs, type ParseArgsConfig } from 'node:util';
import { usageError } from './commandError';

/**
 * Parses arguments with Node.js's parser.
 * @throws CommandError (usage) that names the invalid argument.
 */
export function parseOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node.js appends advice about arguments that start with a dash, which is removed here.
    const [sentence = ''] = (error as Error).message.split('. ', 1);
    throw usageError(sentence.charAt(0).toLowerCase() + sentence.slice(1));
  }
}
