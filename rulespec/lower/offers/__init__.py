"""Whether what is offered tells what is hidden: which readings a decision depends on, and who sees what was read."""
