//! Handlers: functions whose argument and response types describe the input, output and access of their route.

use super::answer::Answer;
use super::argument::Argument;
use super::operation::Operation;

/// A handler that describes its input and output.
pub trait Describe<Arguments> {
    /// The description derived from its types.
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
