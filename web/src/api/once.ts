import { hashKey } from '@tanstack/react-query';

type Sent = { file?: File };

const isSame = <T extends Sent>({ file, ...rest }: T, { file: otherFile, ...other }: T) =>
  file === otherFile && hashKey([rest]) === hashKey([other]);

/**
 * Sends the same input only once while it is unanswered: the second click of a double click can come before the button
 * is disabled.
 */
export function once<T extends Sent, R>(send: (input: T) => Promise<R>): (input: T) => Promise<R> {
  let last: { input: T; answer: Promise<R> } | undefined;
  return (input) => {
    if (last && isSame(last.input, input)) return last.answer;
    const sent = { input, answer: send(input) };
    last = sent;
    const clear = () => {
      if (last === sent) last = undefined;
    };
    sent.answer.then(clear, clear);
    return sent.answer;
  };
}
