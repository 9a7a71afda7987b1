//! Handlers: functions whose arguments and answer say what their route takes, answers, and whom it lets in.

use super::answer::Answer;
use super::argument::Argument;
use super::operation::Operation;

/// A handler that says what it takes and answers.
pub trait Describe<Arguments> {
    /// What its types say.
    fn operation() -> Operation;
}

macro_rules! described {
    ($($argument:ident)*) => {
        impl<F, Running, Answered, $($argument),*> Describe<($($argument,)*)> for F
        where
            F: FnOnce($($argument),*) -> Running,
            Running: Future<Output = Answered>,
            Answered: Answer,
            $($argument: Argument,)*
        {
            fn operation() -> Operation {
                let mut operation = Operation::unknown();
                $($argument::describe(&mut operation);)*
                Answered::describe(&mut operation);
                operation
            }
        }
    };
}

described!();
described!(A1);
described!(A1 A2);
described!(A1 A2 A3);
described!(A1 A2 A3 A4);
described!(A1 A2 A3 A4 A5);
