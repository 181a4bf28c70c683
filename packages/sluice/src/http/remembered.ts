/** A function of text whose latest answers are kept, for what the same clients ask again and again. */

/** All of them go when there are too many: that is rare, and needs no order. */
export function remembered<Answer>(
  most: number,
  answerFor: (text: string) => Answer,
): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = answerFor(text);
    if (answers.size >= most) answers.clear();
    answers.set(text, answer);
    return answer;
  };
}
