/** Texts of Automation, Approvals. */
export const texts = {
  noneWaits: {
    title: 'Nothing waits for approval',
    text: 'A run that reaches a task core.approval stands here until somebody decides, or its time is over.',
  },
  noneDecided: { title: 'Nothing was decided yet', text: 'Answers stand here with who gave them and why.' },
  noPlan: 'Nothing that follows this answer changes or sends anything.',
  final: 'An answer cannot be taken back: the run goes on at once.',
  planChanged: 'The plan is bound to this answer: when it changes meanwhile, the answer is refused.',
} as const;
